// The one build file.
//   node esbuild.mjs                the product, into dist/
//   node esbuild.mjs --tests        the product, and the test suites into out/test/
//   node esbuild.mjs --production   minified, without source maps: what is packaged
//   node esbuild.mjs --target linux-x64   whose native files ship (default: this machine's)
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = path.dirname(fileURLToPath(import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const flags = process.argv.slice(2);
const production = flags.includes('--production');
const target = flags.includes('--target')
  ? flags[flags.indexOf('--target') + 1]
  : `${process.platform}-${process.arch}`;

/** Native packages cannot be bundled: they are copied to dist/node_modules, one platform's files only. */
const nativePackages = ['onnxruntime-node', 'onnxruntime-common'];

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // ES modules where a package has them: unused parts are left out.
  mainFields: ['module', 'main'],
  minify: production,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'none',
};

const product = [
  { entryPoints: { extension: 'src/extension.ts' }, external: ['vscode'] },
  {
    entryPoints: { worker: 'src/worker/main.ts', assay: 'src/cli/main.ts' },
    external: [...nativePackages, 'msgpackr-extract'],
    alias: {
      // lmdb's ESM entry uses import.meta.url and a direct eval: neither survives bundling.
      lmdb: at('node_modules/lmdb/dist/index.cjs'),
      // Finds lmdb's binary relative to lmdb's own folder, which a bundle does not have.
      'node-gyp-build-optional-packages': at('scripts/lmdb-loader.cjs'),
    },
  },
];

async function copyNative() {
  const [platform, arch] = target.split('-');
  const from = at('node_modules/onnxruntime-node');
  const to = at('dist/node_modules/onnxruntime-node');
  await rm(at('dist/node_modules'), { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const part of ['package.json', 'dist']) {
    await cp(path.join(from, part), path.join(to, part), {
      recursive: true,
      filter: (file) => !/\.(map|d\.ts)$/.test(file),
    });
  }
  const binaries = path.join('bin', 'napi-v6', platform, arch);
  if (!existsSync(path.join(from, binaries))) {
    throw new Error(`onnxruntime-node has no binary for ${target}: Assay cannot be built for it.`);
  }
  await cp(path.join(from, binaries), path.join(to, binaries), { recursive: true });

  const commonTo = at('dist/node_modules/onnxruntime-common');
  for (const part of ['package.json', 'dist/cjs']) {
    await cp(at('node_modules/onnxruntime-common', part), path.join(commonTo, part), {
      recursive: true,
      filter: (file) => !/\.(map|d\.ts)$/.test(file),
    });
  }

  const lmdb = at('node_modules', '@lmdb', `lmdb-${target}`);
  if (!existsSync(lmdb)) throw new Error(`@lmdb/lmdb-${target} is not installed: install on that platform.`);
  await mkdir(at('dist/lmdb'), { recursive: true });
  for (const file of await readdir(lmdb)) {
    if (/^node\.napi.*\.node$/.test(file)) await cp(path.join(lmdb, file), at('dist/lmdb', file));
  }
}

/** Every *.test.ts below a suite's folder is a bundle of its own; packages stay outside, as they are installed. */
async function testEntries(suite) {
  const found = {};
  const walk = async (folder) => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(file);
      else if (entry.name.endsWith('.test.ts')) found[path.relative(at('test'), file).replace(/\.ts$/, '')] = file;
    }
  };
  if (existsSync(at('test', suite))) await walk(at('test', suite));
  return found;
}

/**
 * Packages stay outside of the unit tests, as they are installed; but not those that are ES modules only, which `require` finds in newer
 * versions of Node alone.
 */
const packagesOutside = {
  name: 'packages-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || /^(hyparquet|hysnappy)/.test(name) ? undefined : { path: name, external: true },
    );
  },
};

async function buildTests() {
  await rm(at('out/test'), { recursive: true, force: true });
  const options = {
    ...common,
    minify: false,
    sourcemap: 'linked',
    outdir: 'out/test',
    outExtension: { '.js': '.cjs' },
  };
  const tests = { ...(await testEntries('unit')), ...(await testEntries('ui')) };
  await esbuild.build({
    ...options,
    entryPoints: tests,
    plugins: [packagesOutside],
    define: { ASSAY_ROOT: JSON.stringify(root) },
  });
  // Inside the extension host only `vscode` and mocha's globals exist: all else is bundled.
  const hosted = await testEntries('vscode');
  if (Object.keys(hosted).length > 0) {
    await esbuild.build({
      ...options,
      entryPoints: hosted,
      external: ['vscode', 'mocha'],
      define: { ASSAY_ROOT: JSON.stringify(root) },
    });
  }
}

await rm(at('dist'), { recursive: true, force: true });
await Promise.all(product.map((part) => esbuild.build({ ...common, ...part, outdir: 'dist' })));
await copyNative();
if (flags.includes('--tests')) await buildTests();
