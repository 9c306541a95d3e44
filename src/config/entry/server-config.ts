import type { CallLimits } from '../schema/entry-keys.ts';
import type { LoginSettings } from '../schema/login-keys.ts';
import type { RunSettings } from '../schema/run-keys.ts';

export interface ServerSettings extends RunSettings, CallLimits {
  readonly name: string;
}

export interface StdioServerConfig extends ServerSettings {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment toolsift itself runs in. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; toolsift's own working directory when the entry names none. */
  readonly cwd: string;
  /**
   * What tells this server from another of the same command: `cwd` where the entry names it, else the folder of the
   * file. Where toolsift happens to run does not.
   */
  readonly place: string;
  readonly fromVariables?: readonly VariableValue[];
}

export interface HttpServerConfig extends ServerSettings {
  readonly kind: 'http';
  /** `auto`: Streamable HTTP, then HTTP+SSE where the server knows only that. */
  readonly transport: 'http' | 'sse' | 'auto';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly login?: LoginSettings;
  readonly fromVariables?: readonly VariableValue[];
}

/** A variable that the command, the arguments or the address of a server were filled in from. */
export interface VariableValue {
  readonly name: string;
  readonly value: string;
}

/** An entry that is switched off. */
export interface DisabledServerConfig extends ServerSettings {
  readonly kind: 'disabled';
}

/** An entry with a fault of its own; the other servers do not notice. */
export interface FaultyServerConfig extends ServerSettings {
  readonly kind: 'faulty';
  /** What is wrong and what to do, e.g. `variable GITHUB_TOKEN in "env.TOKEN" is not set`. */
  readonly reason: string;
}

/** An entry that can be started. */
export type RunnableConfig = StdioServerConfig | HttpServerConfig;

export type ServerConfig = RunnableConfig | DisabledServerConfig | FaultyServerConfig;
