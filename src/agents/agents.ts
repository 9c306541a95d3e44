import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { cline } from './cline.ts';
import { continueDev } from './continue.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { goose } from './goose.ts';
import { junie } from './junie.ts';
import { lmStudio } from './lm-studio.ts';
import { opencode } from './opencode.ts';
import { rooCode } from './roo-code.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

/** The agents whose servers toolsift can take over. */
export const AGENTS: readonly Agent[] = [
  claudeCode,
  claudeDesktop,
  cline,
  continueDev,
  copilotCli,
  cursor,
  geminiCli,
  goose,
  junie,
  lmStudio,
  opencode,
  rooCode,
  vscode,
  windsurf,
  zed,
];
