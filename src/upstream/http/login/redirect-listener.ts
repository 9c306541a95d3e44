import { createServer, type Server } from 'node:http';

const PATH = '/callback';
const DONE = page('Logged in', 'You can close this window and go back.');
const FAILED = page('Not logged in', 'The reason stands where you began. You can close this window.');

/** What an authorization server sent the browser back with. */
export type Answer = URLSearchParams;

/** Waits on this machine for the browser that comes back from an authorization server. */
export class RedirectListener {
  readonly #server: Server;
  readonly redirectUrl: string;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.redirectUrl = urlFor(port);
  }

  /**
   * @param wantedPort the port that the authorization server knows; any other one where that is taken
   * @param ontake whether an answer is the one that is waited for; all others change nothing
   */
  static async open(
    wantedPort: number | undefined,
    ontake: (answer: Answer) => boolean,
  ): Promise<RedirectListener> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const isOurs = request.method === 'GET' && url.pathname === PATH;
      const isTaken = isOurs && ontake(url.searchParams);
      const isGood = isTaken && url.searchParams.has('code');
      response.writeHead(isOurs ? (isTaken ? 200 : 400) : 404, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        connection: 'close',
      });
      response.end(isOurs ? (isGood ? DONE : FAILED) : '');
    });
    const port = await listen(server, wantedPort ?? 0).catch(() => listen(server, 0));
    return new RedirectListener(server, port);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function urlFor(port: number): string {
  return `http://127.0.0.1:${port}${PATH}`;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function page(title: string, text: string): string {
  return `<!doctype html><meta charset="utf-8"><title>toolsift: ${title}</title><h1>${title}</h1><p>${text}</p>`;
}
