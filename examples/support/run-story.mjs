import { styleText } from 'node:util';

const isColored = process.stdout.isTTY === true && !process.env.NO_COLOR;

/** @param {Parameters<typeof styleText>[0]} style @param {string} text */
function paint(style, text) {
  return isColored ? styleText(style, text) : text;
}

/** Thrown where the story did not go as told. */
class Mismatch extends Error {}

/** Prints what happens, step by step, and stops where something is not as it should be. */
export class Story {
  #steps = 0;

  /** @param {string} title */
  step(title) {
    this.#steps++;
    console.log(`\n${paint('bold', `${this.#steps}. ${title}`)}`);
  }

  /** @param {string} text */
  say(text) {
    console.log(`   ${text}`);
  }

  /**
   * @param {boolean} isTrue
   * @param {string} claim what is so, for the reader
   * @param {unknown} [seen] what was there instead, for the failure message
   */
  expect(isTrue, claim, seen) {
    if (!isTrue)
      throw new Mismatch(`not so: ${claim}${seen === undefined ? '' : `\n   seen: ${show(seen)}`}`);
    console.log(`   ${paint('green', '✓')} ${claim}`);
  }
}

/**
 * Runs one example. What goes wrong is printed and makes the exit status 1.
 *
 * @param {string} title
 * @param {(story: Story) => Promise<void>} tell
 */
export async function runStory(title, tell) {
  console.log(paint('bold', title));
  try {
    await tell(new Story());
    console.log(`\n${paint('green', 'All steps went as told.')}`);
  } catch (error) {
    const text =
      error instanceof Mismatch ? error.message : error instanceof Error ? error.stack : String(error);
    console.error(`   ${paint('red', '✗')} ${text}`);
    process.exitCode = 1;
  }
}

/** @param {unknown} value */
function show(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
