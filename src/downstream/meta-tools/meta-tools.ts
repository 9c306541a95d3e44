import { invokeTool } from './invoke-tool.ts';
import { listServers } from './list-servers.ts';
import type { MetaTool } from './meta-tool.ts';
import { searchTools } from './search-tools.ts';

export const META_TOOLS: readonly MetaTool[] = [searchTools, invokeTool, listServers];
