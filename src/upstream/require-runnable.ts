import type { RunnableConfig, ServerConfig } from '../config/config.ts';
import { ToolsiftError } from '../errors.ts';

/** @throws ToolsiftError that says why the entry cannot be started */
export function requireRunnable(config: ServerConfig): RunnableConfig {
  if (config.kind === 'faulty') throw new ToolsiftError('server_config_invalid', config.reason);
  if (config.kind === 'disabled') {
    throw new ToolsiftError(
      'upstream_unavailable',
      'is disabled in the configuration; set "disabled" to false',
    );
  }
  return config;
}
