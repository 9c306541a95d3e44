import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startDirect } from '../helpers/direct.ts';
import { at, type Json } from '../helpers/message.ts';
import { type RawClient, resultText } from '../helpers/raw-client.ts';
import { memberText } from '../helpers/raw-json.ts';
import { realServers, resetFolder } from '../helpers/real-servers.ts';
import { startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const CAPABILITIES = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };
const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-real-'))), 'work');
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

/** The user of both runs: has one root, answers everything. */
function answerLikeAUser(client: RawClient): void {
  client.handle('roots/list', () =>
    resultText({ roots: [{ uri: pathToFileURL(folder).href, name: 'work' }] }),
  );
  client.handle('sampling/createMessage', () =>
    resultText({ role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled é' } }),
  );
  client.handle('elicitation/create', (message) =>
    resultText(
      at(message.params, 'mode') === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: { name: 'Anne', check: true } },
    ),
  );
}

async function outcomes(
  calls: [string, Json][],
  call: (tool: string, args: Json) => Promise<{ line: string }>,
) {
  const told: string[] = [];
  for (const [tool, args] of calls) {
    const { line } = await call(tool, args);
    told.push(`${tool}: ${memberText(line, 'result') ?? memberText(line, 'error')}`);
  }
  return told;
}

describe.each(Object.entries(realServers(folder)))(
  'the published %s server',
  (name, { entry, calls, leftOut, showsRoots }) => {
    it('answers every call with the same text direct and through toolsift', async () => {
      resetFolder(folder);
      const direct = await startDirect(entry, CAPABILITIES, answerLikeAUser);
      await rootsAreKnown(showsRoots, (tool) => direct.call(tool));
      const listed = at((await direct.client.ask('tools/list')).result, 'tools');
      const tools = Array.isArray(listed) ? listed.map((tool) => String(at(tool, 'name'))) : [];
      const covered = [...calls.map(([tool]) => tool), ...Object.keys(leftOut)];
      expect(
        tools.filter((tool) => !covered.includes(tool)),
        'tools without a call',
      ).toEqual([]);
      const told = await outcomes(calls, (tool, args) => direct.call(tool, args));

      resetFolder(folder);
      const toolsift = await startToolsift({
        servers: { [name]: entry },
        capabilities: CAPABILITIES,
        prepare: answerLikeAUser,
      });
      await rootsAreKnown(showsRoots, (tool) => toolsift.invoke(name, tool));
      expect(await outcomes(calls, (tool, args) => toolsift.invoke(name, tool, args))).toEqual(told);
    });
  },
);

/** A server that wants the roots asks for them after the hello, in its own time. */
async function rootsAreKnown(
  tool: string | undefined,
  call: (tool: string) => Promise<{ line: string }>,
): Promise<void> {
  if (tool === undefined) return;
  await waitFor('the server knows the roots', async () => (await call(tool)).line.includes(folder));
}
