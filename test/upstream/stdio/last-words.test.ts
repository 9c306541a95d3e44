import { describe, expect, it } from 'vitest';
import { lastWords } from '../../../src/upstream/stdio/last-words.ts';

/** What programs write before they fail, as they wrote it, and the cause that is in it. */
const TRANSCRIPTS: readonly (readonly [program: string, cause: RegExp, written: string])[] = [
  [
    'npx, of a package that does not exist',
    /'toolsift-does-not-exist@\*' could not be found/,
    `npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/toolsift-does-not-exist
npm error 404
npm error 404  The requested resource 'toolsift-does-not-exist@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm notice
npm notice New major version of npm available! 10.8.2 -> 11.6.0
npm notice Changelog: https://github.com/npm/cli/releases/tag/v11.6.0
npm notice To update run: npm install -g npm@11.6.0
npm notice
npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-12-01T01_51_28_837Z-debug-0.log
`,
  ],
  [
    'npx of older npm',
    /'@acme\/nope@\^1' is not in this registry/,
    `npm ERR! code E404
npm ERR! 404 Not Found - GET https://registry.npmjs.org/@acme%2fnope - Not found
npm ERR! 404
npm ERR! 404  '@acme/nope@^1' is not in this registry.
npm ERR! 404
npm ERR! 404 Note that you can also install from a
npm ERR! 404 tarball, folder, http url, or git folder.

npm ERR! A complete log of this run can be found in:
npm ERR!     /home/me/.npm/_logs/2024-05-01T10_00_00_000Z-debug-0.log
`,
  ],
  [
    'npx, of a version that does not exist',
    /No matching version found for left-pad@99/,
    `npm error code ETARGET
npm error notarget No matching version found for left-pad@99.
npm error notarget In most cases you or one of your dependencies are requesting
npm error notarget a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log
`,
  ],
  [
    'npx without a network',
    /getaddrinfo EAI_AGAIN registry.npmjs.org/,
    `npm error code EAI_AGAIN
npm error syscall getaddrinfo
npm error errno EAI_AGAIN
npm error request to https://registry.npmjs.org/some-server failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log
`,
  ],
  [
    'npx, of a package without a program',
    /could not determine executable to run/,
    `npm error could not determine executable to run
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log
`,
  ],
  [
    'uvx, of a package that does not exist',
    /Because mcp-server-nope was not found in the package registry/,
    `  × No solution found when resolving tool dependencies:
  ╰─▶ Because mcp-server-nope was not found in the package registry and you
      require mcp-server-nope, we can conclude that your requirements are
      unsatisfiable.

      hint: An index URL (https://pypi.org/simple) returned a 404
`,
  ],
  [
    'uvx, of a package without that program',
    /An executable named `mcp-time` is not provided by package `mcp-server-time`/,
    `Resolved 31 packages in 210ms
Installed 31 packages in 40ms
An executable named \`mcp-time\` is not provided by package \`mcp-server-time\`.
The following executables are available:
- mcp-server-time

hint: Use \`uvx --from mcp-server-time mcp-server-time\` instead.
`,
  ],
  [
    'pip',
    /No matching distribution found for mcp-nope/,
    `ERROR: Could not find a version that satisfies the requirement mcp-nope (from versions: none)
ERROR: No matching distribution found for mcp-nope

[notice] A new release of pip is available: 23.2.1 -> 25.3
[notice] To update, run: pip install --upgrade pip
`,
  ],
  [
    'docker without its daemon',
    /Cannot connect to the Docker daemon at unix:\/\/\/var\/run\/docker.sock/,
    `docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

Run 'docker run --help' for more information
`,
  ],
  [
    'docker, of an image that does not exist',
    /pull access denied for mcp\/nope/,
    `Unable to find image 'mcp/nope:latest' locally
docker: Error response from daemon: pull access denied for mcp/nope, repository does not exist or may require 'docker login': denied: requested access to the resource is denied

Run 'docker run --help' for more information
`,
  ],
  [
    'Node.js, of a missing module',
    /Cannot find module '\/srv\/dist\/index.js'/,
    `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/dist/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`,
  ],
  [
    'Node.js of the wrong version',
    /does not provide an export named 'globSync'/,
    `npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'x@1.0.0',
npm warn EBADENGINE }
file:///srv/x/index.js:1
import { globSync } from 'node:fs';
         ^^^^^^^^
SyntaxError: The requested module 'node:fs' does not provide an export named 'globSync'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:180:21)

Node.js v20.20.2
`,
  ],
  [
    'Node.js, of a port in use',
    /listen EADDRINUSE: address already in use :::3000/,
    `node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1817:16)
Emitted 'error' event on Server instance at:
    at emitErrorNT (node:net:1796:8) {
  code: 'EADDRINUSE',
  errno: -98,
  syscall: 'listen',
  address: '::',
  port: 3000
}

Node.js v20.20.2
`,
  ],
  [
    'a server without its variable, with its usage below',
    /GITHUB_TOKEN environment variable is required/,
    `Starting server
Error: GITHUB_TOKEN environment variable is required
Usage: server [options]
  --token <token>  the token
  --port <port>    the port
  --host <host>    the host
  --help           this
Shutting down...
`,
  ],
  [
    'Python, of a missing module',
    /ModuleNotFoundError: No module named 'mcp'/,
    `Traceback (most recent call last):
  File "/srv/server.py", line 3, in <module>
    from mcp.server import Server
ModuleNotFoundError: No module named 'mcp'
`,
  ],
  [
    'Python, of a failure within a failure',
    /KeyError: 'API_KEY'.*RuntimeError: cannot go on/,
    `Traceback (most recent call last):
  File "/srv/server.py", line 4, in <module>
    os.environ['API_KEY']
    ~~~~~~~~~~^^^^^^^^^^^
KeyError: 'API_KEY'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/server.py", line 6, in <module>
    raise RuntimeError('cannot go on') from e
RuntimeError: cannot go on
`,
  ],
  [
    'Java, with the frames of its causes',
    /cannot read port.*Caused by: java.lang.NumberFormatException/,
    `Exception in thread "main" java.lang.IllegalStateException: cannot read port
	at Boom.main(Boom.java:1)
	at java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
Caused by: java.lang.NumberFormatException: For input string: "x"
	at java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
	... 9 more
`,
  ],
  [
    'Java, of a missing file',
    /Unable to access jarfile server.jar/,
    'Error: Unable to access jarfile server.jar\n',
  ],
  ['a shell', /nosuch: not found/, 'sh: 1: nosuch: not found\n'],
  ['env', /‘node’: No such file or directory/, '/usr/bin/env: ‘node’: No such file or directory\n'],
  ['a shell, of a file it may not run', /Permission denied/, 'sh: 1: ./server: Permission denied\n'],
  [
    'bunx',
    /package "nope" not found/,
    'error: package "nope" not found registry.npmjs.org/nope 404\nerror: Failed to resolve "nope"\n',
  ],
  [
    'Deno',
    /npm package 'nope' does not exist/,
    "error: npm package 'nope' does not exist.\n    at file:///srv/main.ts:1:8\n",
  ],
  [
    'Rust',
    /panicked at src\/main.rs:3:5/,
    "thread 'main' panicked at src/main.rs:3:5:\nno database\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
  ],
];

describe('the last words of a program', () => {
  it.each(TRANSCRIPTS)('tell the cause: %s', (_, cause, written) => {
    const said = lastWords(written);
    expect(said).toMatch(cause);
    expect(said).not.toMatch(/npm notice|complete log|_logs|--help|Node\.js v|\bat \w+ \(|\[notice\]|hint:/);
    expect(said.length).toBeLessThanOrEqual(400);
  });

  it('win over whatever is printed below them', () => {
    const below = Array.from({ length: 40 }, (_, at) => `worker ${at} has been told to leave`).join('\n');
    expect(lastWords(`FATAL: database "tools" does not exist\n${below}`)).toMatch(
      /^FATAL: database "tools" does not exist \| .*worker 39/,
    );
  });

  it('show the beginning of a cause that is too long, and the end of other lines', () => {
    expect(lastWords(`Error: bad ${'x'.repeat(5000)}\nwaiting\n`)).toMatch(/^Error: bad x+…$/);
    expect(lastWords(`${'x'.repeat(5000)}END`)).toMatch(/^x+END$/);
  });

  it('are shown even where they are nothing but notices', () => {
    expect(lastWords('npm notice New version\n')).toBe('npm notice New version');
    expect(lastWords('\n \n')).toBe('');
  });

  it('say a line once that was said again and again', () => {
    expect(lastWords('Error: connect ECONNREFUSED ::1:5432\n'.repeat(30))).toBe(
      'Error: connect ECONNREFUSED ::1:5432',
    );
  });
});
