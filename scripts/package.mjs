// Packages the extension for a platform: assay-PLATFORM.vsix.
//   node scripts/package.mjs [--target linux-x64] [--out FILE]
import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { main, must, root } from './lib/run.mjs';

export const thisPlatform = `${process.platform}-${process.arch}`;

/** Builds for production and packages. Resolves to the path of the .vsix file. */
export async function packageExtension({ target = thisPlatform, out = path.join(root, `assay-${target}.vsix`) } = {}) {
  await must(process.execPath, ['esbuild.mjs', '--production', '--target', target]);
  rmSync(out, { force: true });
  const log = path.join(root, 'out/vsce.log');
  rmSync(log, { force: true });
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  const args = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--target',
    target,
    '--out',
    out,
  ];
  await must(process.execPath, [vsce, ...args], { output: log });
  if (!existsSync(out)) throw new Error(`vsce wrote no ${out}`);
  console.log(`${path.relative(root, out)}: ${(statSync(out).size / 1e6).toFixed(1)} MB`);
  return out;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(async () => {
    const { values } = parseArgs({ options: { target: { type: 'string' }, out: { type: 'string' } } });
    await ensureInstalled();
    const out =
      values.out === undefined ? {} : { out: path.resolve(process.env.INIT_CWD ?? process.cwd(), values.out) };
    await packageExtension({ ...values, ...out });
  });
}
