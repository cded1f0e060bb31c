import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Papa from 'papaparse';
import { wrongOnPurpose } from './wrong-on-purpose';

declare const ASSAY_ROOT: string;

// Read here by other means than the engine's own readers.
const read = (name: string): string => readFileSync(path.join(ASSAY_ROOT, 'samples', name), 'utf8');

interface SentimentRow {
  id: string;
  text: string;
  label: 0 | 1;
}

interface Entity {
  name: string;
  pos: [number, number];
}

interface RelationRow {
  token: string[];
  h: Entity;
  t: Entity;
  relation: string;
}

const lines = <T>(name: string): T[] =>
  read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

function semevalRows(): { number: number; marked: string; label: string }[] {
  const blocks = read('relations.semeval.txt').trimEnd().split('\n\n');
  return blocks.map((block) => {
    const match = /^(\d+)\t"(.*)"\n(\S+)\nComment:.*$/.exec(block);
    assert.ok(match, block);
    return { number: Number(match[1]), marked: match[2]!, label: match[3]! };
  });
}

function labelsOfModel(name: string): Set<string> {
  const config = JSON.parse(readFileSync(path.join(ASSAY_ROOT, 'models', name, 'config.json'), 'utf8')) as {
    id2label: Record<string, string>;
  };
  return new Set(Object.values(config.id2label));
}

describe('samples', () => {
  it('hold the same sentiment sentences as CSV and as JSON Lines, at least 60, both labels about equally often', () => {
    const csv = Papa.parse<Record<string, string>>(read('sentiment.csv'), { header: true, skipEmptyLines: true });
    assert.deepEqual(csv.errors, []);
    const jsonl = lines<SentimentRow>('sentiment.jsonl');
    assert.ok(jsonl.length >= 60);
    assert.deepEqual(
      csv.data.map((row) => [row.text, row.label]),
      jsonl.map((row) => [row.text, row.label === 1 ? 'positive' : 'negative']),
    );
    assert.equal(new Set(jsonl.map((row) => row.id)).size, jsonl.length);
    assert.equal(new Set(jsonl.map((row) => row.text)).size, jsonl.length);
    const positives = jsonl.filter((row) => row.label === 1).length;
    assert.ok(Math.abs(positives / jsonl.length - 0.5) < 0.1);
  });

  it('hold the same relation sentences as JSON Lines and as SemEval text, at least 60, with labels of the bundled model', () => {
    const jsonl = lines<RelationRow>('relations.jsonl');
    const semeval = semevalRows();
    assert.ok(jsonl.length >= 60);
    assert.equal(jsonl.length, semeval.length);
    const labels = labelsOfModel('relation-minilm-semeval2010');
    jsonl.forEach((row, index) => {
      const { number, marked, label } = semeval[index]!;
      assert.equal(number, index + 1);
      assert.equal(row.relation, label);
      assert.ok(labels.has(label), label);
      const entity = (name: string): string => new RegExp(`<${name}>(.*)</${name}>`).exec(marked)![1]!;
      for (const [{ name, pos }, tag] of [
        [row.h, 'e1'],
        [row.t, 'e2'],
      ] as const) {
        assert.equal(row.token.slice(...pos).join(' '), name);
        assert.equal(entity(tag), name);
      }
      const bare = marked.replace(/<\/?e[12]>/g, '');
      assert.equal(row.token.join(''), bare.replace(/\s/g, ''));
    });
    assert.equal(new Set(jsonl.map((row) => row.relation)).size, 19);
    const tailFirst = jsonl.filter((row) => row.t.pos[0] < row.h.pos[0]).length;
    assert.ok(tailFirst > 0 && tailFirst < jsonl.length / 10);
  });

  it('hold what readers stumble over', () => {
    const csv = read('sentiment.csv');
    assert.match(csv, /"[^"\n]*""[^"\n]+""/, 'doubled quotes');
    assert.match(csv, /"[^"\n]*\n[^"\n]*\n[^"\n]*",positive\n/, 'a field of three lines');
    assert.match(csv, /"[^"\n]*,[^"\n]*",/, 'a comma inside a field');
    const jsonl = read('sentiment.jsonl');
    assert.match(jsonl, /\\"/);
    assert.match(jsonl, /\\u00e9/);
    assert.match(jsonl, /\\n/);
    assert.match(jsonl, /\\ud83[cd]\\ud[c-f]/, 'an escaped surrogate pair');
    for (const name of ['sentiment.csv', 'sentiment.jsonl', 'relations.jsonl', 'relations.semeval.txt']) {
      const text = read(name);
      assert.match(text, /\p{Extended_Pictographic}/u, `${name}: emoji`);
      assert.match(text, /[à-öø-ÿÅ]/, `${name}: accents`);
      assert.match(text, /\p{Script=Han}/u, `${name}: Chinese or Japanese`);
    }
  });

  it('have the wrong labels that their README lists', () => {
    const { sentiment, relations } = wrongOnPurpose(read('README.md'));
    assert.ok(sentiment.length >= 6 && relations.length >= 6);
    const sentimentRows = new Map(lines<SentimentRow>('sentiment.jsonl').map((row) => [row.id, row]));
    for (const { id, text, given, right } of sentiment) {
      const row = sentimentRows.get(id);
      assert.equal(row?.text, text);
      assert.equal(row?.label, given === 'positive' ? 1 : 0);
      assert.notEqual(right, given);
      assert.ok(labelsOfModel('sentiment-minilm-sst2').has(right));
    }
    const semeval = semevalRows();
    for (const { id, text, given, right } of relations) {
      const row = semeval[Number(id) - 1];
      assert.equal(row?.marked.replace(/<\/?e[12]>/g, ''), text);
      assert.equal(row?.label, given);
      assert.notEqual(right, given);
      assert.ok(labelsOfModel('relation-minilm-semeval2010').has(right));
    }
  });
});
