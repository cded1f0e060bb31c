// npm run bench [-- NAME ...]: measures, and prints a JSON line a figure. What is measured how: bench/README.md.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { main, must, root, run, Told } from './lib/run.mjs';

const at = (...parts) => path.join(root, ...parts);

/** In the order in which they run. `needs`: what must be built before. */
const benchmarks = {
  readers: { needs: [] },
  stream: { needs: [] },
  checks: { needs: [] },
  throughput: { needs: [] },
  gradient: { needs: [] },
  robustness: { needs: [] },
  'first-look': { needs: ['package'] },
  host: { needs: ['dist'] },
};

/** The benchmarks, and those parts of them that run inside the extension host, into out/bench. */
async function build() {
  const esbuild = await import('esbuild');
  await rm(at('out/bench'), { recursive: true, force: true });
  const common = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'linked',
    outExtension: { '.js': '.cjs' },
    logLevel: 'warning',
    define: { ASSAY_ROOT: JSON.stringify(root) },
  };
  await esbuild.build({
    ...common,
    entryPoints: Object.keys(benchmarks).map((name) => at('bench', `${name}.ts`)),
    packages: 'external',
    outdir: 'out/bench',
  });
  const hosted = (await readdir(at('bench/host'))).filter((name) => name.endsWith('.test.ts'));
  await esbuild.build({
    ...common,
    entryPoints: hosted.map((name) => at('bench/host', name)),
    mainFields: ['module', 'main'],
    external: ['vscode'],
    outdir: 'out/bench/host',
  });
}

/** Packaging builds dist/ minified; the host's benchmark wants the functions' names, so it builds again. */
async function prepare(need) {
  if (need === 'package' && !process.env.ASSAY_VSIX) {
    if (!existsSync(at('scripts/package.mjs')))
      throw new Told('scripts/package.mjs is not there: name a package in ASSAY_VSIX.');
    await must('node', [at('scripts/package.mjs')], { output: 'stderr' });
  }
  if (need === 'dist') await must('node', [at('esbuild.mjs')], { output: 'stderr' });
}

main(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
  if (unknown.length > 0) {
    throw new Told(`There is no benchmark ${unknown.join(', ')}: choose from ${Object.keys(benchmarks).join(', ')}.`);
  }
  await ensureInstalled({ output: 'stderr' });
  await build();
  let failed = 0;
  for (const [name, { needs }] of Object.entries(benchmarks)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const need of needs) await prepare(need);
    console.error(`bench: ${name}`);
    failed ||= await run(process.execPath, ['--enable-source-maps', at('out/bench', `${name}.cjs`)]);
  }
  return failed;
});
