import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from './agent.ts';
import type { SoakClient } from './soak-client.ts';
import type { SoakHome } from './soak-home.ts';

const SESSION_MS = 1500;
const COLD_EVERY = 3;

/**
 * Kills toolsift outright at random moments of a start, a refresh or the writing of the catalog. The session after
 * each must work, and no file of the catalog may be half of one.
 *
 * @returns what went wrong
 */
export async function killAtRandomMoments(home: SoakHome, times: number): Promise<string[]> {
  const problems: string[] = [];
  for (let time = 0; time < times; time++) {
    if (time % COLD_EVERY === 0) home.forgetCatalog();
    const isSession = time % 2 === 0;
    const victim = isSession ? home.start() : home.start('refresh', '--config', home.configFile);
    // It ends before it has answered: that is the point.
    if (isSession) victim.initialize().catch(() => {});
    await sleep(Math.random() * SESSION_MS);
    victim.kill();
    await victim.exited();
    const damaged = home.damagedFiles();
    if (damaged.length > 0) problems.push(`kill ${time}: damaged ${damaged.join(', ')}`);
    const next = home.start();
    try {
      await next.initialize();
      const fault = await search(next, home);
      if (fault !== undefined) problems.push(`after kill ${time}: ${fault}`);
    } catch (error) {
      problems.push(`after kill ${time}: ${String(error)}`);
    } finally {
      const closing = await next.close();
      if (closing !== undefined) problems.push(`after kill ${time}: ${closing}`);
    }
  }
  return problems;
}

/** Finds a tool of some server, as soon as that is listed. */
async function search(client: SoakClient, { servers }: SoakHome): Promise<string | undefined> {
  const { name } = pick(servers);
  const end = performance.now() + 20_000;
  let said = '';
  while (performance.now() < end) {
    const { result } = await client.callTool('search_tools', { query: `echo_${name}` });
    said = JSON.stringify(result);
    if (said.includes(`\\"server\\":\\"${name}\\",\\"name\\":\\"echo_${name}\\"`)) return undefined;
    await sleep(100);
  }
  return `echo_${name} is not found: ${said.slice(0, 300)}`;
}
