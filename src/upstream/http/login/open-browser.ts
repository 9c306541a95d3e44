import { spawn } from 'node:child_process';

/** How each platform opens an address without a shell that would read it. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OTHER_OPENER = ['xdg-open'];

/** Opens an address in the user's browser, if there is one; whoever has none opens it by hand. */
export function openBrowser(address: URL): void {
  if (!/^https?:$/.test(address.protocol)) return;
  const [command = '', ...args] = OPENERS[process.platform] ?? OTHER_OPENER;
  const child = spawn(command, [...args, address.href], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
