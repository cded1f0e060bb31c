import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { breaches } from './import-rules';
import { importsOf } from './import-scan';

declare const ASSAY_ROOT: string;

function sourcesBelow(folder: string): [string, string][] {
  const absolute = path.join(ASSAY_ROOT, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mts|js|mjs)$/.test(name))
    .map((name) => [`${folder}/${name.replaceAll(path.sep, '/')}`, readFileSync(path.join(absolute, name), 'utf8')]);
}

function breachesOf(files: Record<string, string>): string[] {
  return breaches(new Map(Object.entries(files)));
}

/** A house that keeps the rules, one file a room. */
const clean: Record<string, string> = {
  'src/extension.ts': `import * as vscode from 'vscode';\nimport { a } from './host/commands/a';\nimport type { P } from './protocol/p';`,
  'src/host/commands/a.ts': `import * as vscode from 'vscode';\nimport { b } from '../b';\nimport { value } from '../../protocol/p';`,
  'src/host/b.ts': `import { fork } from 'node:child_process';\nimport { createMessageConnection } from 'vscode-jsonrpc/node';`,
  'src/protocol/p.ts': `import type { Q } from './q';\nexport const value = 1;`,
  'src/protocol/q.ts': `export interface Q {}`,
  'src/worker/w.ts': `import { models } from '../engine/models/m';\nimport { value } from '../protocol/p';`,
  'src/cli/c.ts': `import { readFile } from 'node:fs/promises';\nimport { models } from '../engine/models/m';\nimport { value } from '../protocol/p';`,
  'src/engine/report/r.ts': `import { b } from '../bias/b';\nimport { d } from '../datasets/d';\nimport { s } from '../statistics/s';`,
  'src/engine/bias/b.ts': `import { p } from '../perturbation/p';`,
  'src/engine/perturbation/p.ts': `import { a } from '../attribution/a';\nimport { m } from '../models/m';`,
  'src/engine/attribution/a.ts': `import { m } from '../models/m';\nimport { o } from '../onnx/o';`,
  'src/engine/models/m.ts': `import * as ort from 'onnxruntime-node';\nimport { o } from '../onnx/o';\nimport { t } from '../text/t';`,
  'src/engine/onnx/o.ts': `import type { P } from '../../protocol/p';`,
  'src/engine/datasets/d.ts': `import { t } from '../text/t';\nimport { s } from '../statistics/s';`,
  'src/engine/text/t.ts': `import type { Q } from '../../protocol/q';`,
  'src/engine/statistics/s.ts': `import type { Q } from '../../protocol/q';`,
  'webview/page.ts': `import './page.css';\nimport * as Plot from '@observablehq/plot';\nimport type { P } from '../src/protocol/p';`,
};

describe('house: imports', () => {
  it('run along the arrows in src and webview, without a circle', () => {
    const files = new Map([...sourcesBelow('src'), ...sourcesBelow('webview')]);
    assert.ok(files.has('src/extension.ts') && files.size > 20, 'the sources were not found');
    assert.deepEqual(breaches(files), []);
  });

  it('are all seen: the checker passes a house that keeps the rules', () => {
    assert.deepEqual(breachesOf(clean), []);
  });

  for (const [name, file, line] of [
    ['host to engine', 'src/host/b.ts', `import { m } from '../engine/models/m';`],
    ['host to worker', 'src/host/b.ts', `import { w } from '../worker/w';`],
    ['host to engine, types only', 'src/host/b.ts', `import type { M } from '../engine/models/m';`],
    ['extension to engine, when called', 'src/extension.ts', `const m = await import('./engine/models/m');`],
    ['extension to worker', 'src/extension.ts', `import './worker/w';`],
    ['worker to host', 'src/worker/w.ts', `import { b } from '../host/b';`],
    ['worker to cli', 'src/worker/w.ts', `import { c } from '../cli/c';`],
    ['cli to worker', 'src/cli/c.ts', `import { w } from '../worker/w';`],
    ['webview to engine', 'webview/page.ts', `import { s } from '../src/engine/statistics/s';`],
    ['webview to host', 'webview/page.ts', `export { b } from '../src/host/b';`],
    ['protocol to engine', 'src/protocol/q.ts', `export type { S } from '../engine/statistics/s';`],
    ['protocol to host', 'src/protocol/q.ts', `export * from '../host/b';`],
    ['engine to worker', 'src/engine/report/r.ts', `import { w } from '../../worker/w';`],
    ['engine to host', 'src/engine/models/m.ts', `import { b } from '../../host/b';`],
    ['bias to report', 'src/engine/bias/b.ts', `import { r } from '../report/r';`],
    ['models to attribution', 'src/engine/models/m.ts', `import {\n  type A,\n  a,\n} from '../attribution/a';`],
    ['onnx to models', 'src/engine/onnx/o.ts', `import { m } from '../models/m';`],
    ['datasets to models', 'src/engine/datasets/d.ts', `import { m } from '../models/m';`],
    ['text to datasets', 'src/engine/text/t.ts', `import { d } from '../datasets/d';`],
    ['text to statistics', 'src/engine/text/t.ts', `import { s } from '../statistics/s';`],
    ['statistics to text', 'src/engine/statistics/s.ts', `const t = require('../text/t');`],
  ] as const) {
    it(`are caught against an arrow: ${name}`, () => {
      const found = breachesOf({ ...clean, [file]: `${clean[file]}\n${line}\n` });
      assert.ok(
        found.some((breach) => breach.startsWith(`${file}:`) && breach.includes('against the arrows')),
        found.join('\n'),
      );
    });
  }

  for (const [name, file, line, message] of [
    ['vscode in the engine', 'src/engine/text/t.ts', `import * as vscode from 'vscode';`, /vscode outside host/],
    [
      'vscode in the worker, types only',
      'src/worker/w.ts',
      `import type { Uri } from 'vscode';`,
      /vscode outside host/,
    ],
    ['vscode in the webview', 'webview/page.ts', `import * as vscode from "vscode";`, /vscode outside host/],
    [
      'a value of the protocol in the engine',
      'src/engine/onnx/o.ts',
      `import { value } from '../../protocol/p';`,
      /types only/,
    ],
    [
      'a value beside a type of the protocol in the engine',
      'src/engine/onnx/o.ts',
      `import { type P, value } from '../../protocol/p';`,
      /types only/,
    ],
    ['a process in the engine', 'src/engine/models/m.ts', `import { fork } from 'node:child_process';`, /may not/],
    ['RPC in the engine', 'src/engine/models/m.ts', `import { x } from 'vscode-jsonrpc/node';`, /may not/],
    ['ONNX Runtime in the host', 'src/host/b.ts', `import * as ort from 'onnxruntime-node';`, /may not/],
    ['a tokenizer in the extension', 'src/extension.ts', `void import('@huggingface/transformers');`, /may not/],
    ['a package in the protocol', 'src/protocol/p.ts', `import fs from 'node:fs';`, /may not/],
    ['Node in the webview', 'webview/page.ts', `import path from 'node:path';`, /may not/],
    ['a file that is not there', 'src/cli/c.ts', `import { gone } from './gone';`, /does not exist/],
  ] as const) {
    it(`are caught: ${name}`, () => {
      const found = breachesOf({ ...clean, [file]: `${clean[file]}\n${line}\n` });
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0]!, message);
    });
  }

  it('are caught in a circle, also of types', () => {
    const two = breachesOf({ ...clean, 'src/protocol/q.ts': `import type { P } from './p';` });
    assert.deepEqual(two, ['circle: src/protocol/p.ts -> src/protocol/q.ts -> src/protocol/p.ts']);
    const three = breachesOf({
      'src/cli/a.ts': `import { b } from './b';`,
      'src/cli/b.ts': `import { c } from './c';`,
      'src/cli/c.ts': `const a = import('./a');`,
    });
    assert.deepEqual(three, ['circle: src/cli/a.ts -> src/cli/b.ts -> src/cli/c.ts -> src/cli/a.ts']);
    assert.equal(breachesOf({ 'src/cli/a.ts': `import { a } from './a';` }).length, 1);
  });

  it('are caught in a file that stands in no room', () => {
    assert.deepEqual(breachesOf({ 'src/engine/helpers.ts': '' }), [
      'src/engine/helpers.ts stands in no room of the house',
    ]);
    assert.deepEqual(breachesOf({ 'src/utils/x.ts': '' }), ['src/utils/x.ts stands in no room of the house']);
    assert.deepEqual(breachesOf({ 'src/engine/onnx2/x.ts': '' }), [
      'src/engine/onnx2/x.ts stands in no room of the house',
    ]);
  });

  it('are read from every form of import, and not from comments', () => {
    const source = [
      `// import { no } from './comment';`,
      `/* import './comment';`,
      `   import('./comment') */`,
      `import a, { type B } from './one';`,
      `import type { C } from "./two";`,
      `export type { D } from './three';`,
      `export {`,
      `  e,`,
      `} from './four';`,
      `import './five';`,
      `const f = await import('./six');`,
      `let g: typeof import('./seven');`,
      `const h = require('./eight'); // './nine'`,
      `const url = 'https://x'; import * as i from './ten';`,
      `const notComment = /"\\/\\*/; export * from './eleven';`,
    ].join('\n');
    assert.deepEqual(
      importsOf(source).map(({ specifier, isTypeOnly, line }) => `${line} ${specifier}${isTypeOnly ? ' type' : ''}`),
      [
        '4 ./one',
        '5 ./two type',
        '6 ./three type',
        '7 ./four',
        '10 ./five',
        '11 ./six',
        '12 ./seven type',
        '13 ./eight',
        '14 ./ten',
        '15 ./eleven',
      ],
    );
  });
});
