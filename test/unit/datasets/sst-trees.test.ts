import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { at, open, rows, sample, written } from './opening';

const two = '(3 (2 The) (4 (4 best) (2 film)))\n(0 (2 -LRB-) (1 (1 bad) (2 -rrb-)))\n';

/** A tree of nested arrays: [label, word] or [label, ...trees]. */
type Tree = [number, string] | [number, ...Tree[]];
const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.oneof(
        fc.constantFrom('film', 'so-so', "n't", '(', ')', '[', 'and/or', '5*', '😀', '8 1/2', "''"),
        fc.stringMatching(/^[a-zé千]{1,8}$/),
      ),
    ),
    fc
      .tuple(fc.integer({ min: 0, max: 4 }), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([label, nodes]): Tree => [label, ...nodes]),
  ),
})).tree;

const escapes: Record<string, string> = { '(': '-LRB-', ')': '-RRB-', '[': '-LSB-' };
const escaped = (word: string) => (escapes[word] ?? word).replace(/[/*]/g, '\\$&');

function isLeaf(node: Tree): node is [number, string] {
  return typeof node[1] === 'string';
}

function leavesOf(node: Tree): string[] {
  return isLeaf(node) ? [node[1]] : (node.slice(1) as Tree[]).flatMap(leavesOf);
}

function write(node: Tree, space: string): string {
  return isLeaf(node)
    ? `(${node[0]} ${escaped(node[1])})`
    : `(${node[0]} ${(node.slice(1) as Tree[]).map((child) => write(child, space)).join(space)})`;
}

describe('datasets: sentiment trees', () => {
  it('reads the leaves, their escapes undone, and the label of the root', () => {
    const document = open(two);
    assert.equal(document.info.format, 'sst-trees');
    assert.ok(document.info.confidence > 0.9);
    assert.deepEqual(rows(document), [
      ['The best film', '3'],
      ['( bad )', '0'],
    ]);
    assert.deepEqual(document.findings, []);
    const [first, second] = document.examples;
    assert.equal(written(document, first!, { start: 4, end: 8 }), 'best');
    assert.equal(written(document, first!, { start: 4, end: 13 }), 'best) (2 film');
    assert.equal(written(document, second!, { start: 0, end: 1 }), '-LRB-');
    assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '3');
    assert.equal(at(document, document.fieldRange(first!, first!.textField)), two.split('\n')[0]);
  });

  it('reads the sample', () => {
    const document = sample('sentiment.trees.txt');
    assert.equal(document.info.format, 'sst-trees');
    assert.equal(document.examples.length, 24);
    assert.deepEqual(document.findings, []);
    assert.deepEqual(rows(document)[4], ['The tour starts at nine ( ten on Sundays )', '2']);
    assert.deepEqual(rows(document)[9], ['The cabin has two windows and/or a balcony', '2']);
    assert.deepEqual(document.info.labels.map(({ label }) => label).sort(), ['0', '1', '2', '3', '4']);
  });

  it('says which tree is broken, where and why, and reads the others', () => {
    const broken: [string, RegExp, number][] = [
      ['(3 (2 The) (4 best)', /1 \) are missing/, 18],
      ['(3 (2 The) (4 best)) (2 more)', /something follows it/, 21],
      ['(3 (2 The) (x best))', /number of a label/, 12],
      ['(3 (2 The) ())', /number of a label/, 12],
      ['(3 (2 The) (4 ))', /neither a word nor nodes/, 14],
      ['(3 (2 The) best)', /either words or nodes/, 11],
      ['(3 best (2 The))', /either words or nodes/, 8],
      ['3 best)', /begin with \(/, 0],
    ];
    for (const [line, says, char] of broken) {
      const document = open(`${two}${line}\n\n${two}`);
      assert.equal(document.examples.length, 4, line);
      assert.equal(document.findings.length, 1, line);
      assert.match(document.findings[0]!.message, says);
      assert.deepEqual([document.findings[0]!.range.startLine, document.findings[0]!.range.startChar], [2, char], line);
      assert.equal(document.info.unreadableCount, 1);
    }
  });

  it('takes no other brackets for trees', () => {
    for (const text of ['(S (NP (DT The)) (VP (VB is)))\n', '(define (f x) (+ x 1))\n', '(1, 2)\n(3, 4)\n'])
      assert.throws(() => open(text), NotADataset, text);
    assert.throws(() => open(two, { task: 'sentiment', text: 'review' }), /no column "review"/);
  });

  it('does not overflow on depth', () => {
    const deep = `${'(1 '.repeat(100_000)}(2 film)${')'.repeat(100_000)}\n`;
    assert.deepEqual(rows(open(two + deep))[2], ['film', '1']);
    assert.equal(open(`${two}${'(1 '.repeat(100_000)}\n`).findings.length, 1);
  });

  it('any tree, on one line or several (property)', () => {
    fc.assert(
      fc.property(
        fc.array(tree, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(' ', '\n  ', '\r\n\t', '\r  '),
        fc.constantFrom('\n', '\n\n', '\r\n'),
        (trees, space, between) => {
          const document = open(trees.map((each) => write(each, space)).join(between));
          assert.deepEqual(document.findings, []);
          assert.deepEqual(
            rows(document),
            trees.map((each) => [leavesOf(each).join(' '), String(each[0])]),
          );
          for (const [index, example] of document.examples.entries()) {
            let position = 0;
            for (const word of leavesOf(trees[index]!)) {
              assert.equal(written(document, example, { start: position, end: position + word.length }), escaped(word));
              position += word.length + 1;
            }
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
