import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const PACKAGE_FOLDER = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Writes the licences of all bundled packages beside the bundle, as they ask for. */
export function bundledLicences(): Plugin {
  return {
    name: 'bundled-licences',
    generateBundle() {
      const folders = new Set(
        [...this.getModuleIds()].map(packageFolder).filter((folder) => folder !== undefined),
      );
      const source = [...folders].toSorted().map(licenceOf).join('\n\n');
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
    },
  };
}

function packageFolder(moduleId: string): string | undefined {
  return PACKAGE_FOLDER.exec(moduleId.replace(/^\0/, ''))?.[1];
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const path = file === undefined ? undefined : join(folder, file);
  const text =
    path !== undefined && existsSync(path) ? readFileSync(path, 'utf8').trim() : 'No licence file.';
  return `${name} ${version} (${license})\n\n${text}`;
}
