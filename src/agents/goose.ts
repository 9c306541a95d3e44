import type { Agent } from './agent.ts';

const BUILT_IN = new Map([
  ['builtin', 'built into Goose'],
  ['platform', 'built into Goose'],
  ['inline_python', 'Python code within the file'],
  ['frontend', 'built into Goose'],
  ['sse', 'Goose no longer speaks SSE'],
]);

export const goose: Agent = {
  id: 'goose',
  title: 'Goose',
  files: [
    {
      scope: 'user',
      format: 'yaml',
      path: {
        linux: '~/.config/goose/config.yaml',
        darwin: '~/.config/goose/config.yaml',
        win32: '@/Block/goose/config/config.yaml',
      },
    },
  ],
  variables: [],
  timeoutUnit: 'seconds',
  serversIn: (document) => document.extensions,
  prepare({ env_keys: _, enabled, ...entry }) {
    const builtIn = BUILT_IN.get(String(entry.type));
    if (builtIn !== undefined) return { skipped: builtIn };
    // Written "yes" and "no", too, by whoever edits it.
    return { ...entry, enabled: enabled !== false && enabled !== 'no' && enabled !== 'off' };
  },
};
