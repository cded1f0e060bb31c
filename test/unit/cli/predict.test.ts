import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OutputClosed } from '../../../src/cli/io';
import { wrongOnPurpose } from '../samples/wrong-on-purpose';
import { type PredictionLine, predictionLines, run } from './run-in-process';

declare const ASSAY_ROOT: string;

const sentimentModel = path.join(ASSAY_ROOT, 'models/sentiment-minilm-sst2');
const relationModel = path.join(ASSAY_ROOT, 'models/relation-minilm-semeval2010');

/** `0` and `1` as the samples use them. */
function inWords(gold: string | null): string | null {
  return gold === '0' ? 'negative' : gold === '1' ? 'positive' : gold;
}

describe('cli: predict', function () {
  this.timeout(120_000);

  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'assay-cli-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function file(name: string, content: string | Uint8Array): string {
    const absolute = path.join(folder, name);
    writeFileSync(absolute, content);
    return absolute;
  }

  function jsonl(name: string, rows: object[]): string {
    return file(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  for (const name of ['sentiment.csv', 'sentiment.jsonl', 'relations.jsonl', 'relations.semeval.txt']) {
    it(`predicts samples/${name}: convincing, the wrong labels contradicted`, async () => {
      const { code, stdout, stderr } = await run(['predict', `samples/${name}`]);
      assert.equal(code, 0, stderr);
      const lines = predictionLines(stdout);
      for (const line of lines) {
        assert.deepEqual(Object.keys(line), ['id', 'text', 'spans', 'gold', 'label', 'probabilities', 'truncated']);
        const probabilities = Object.values(line.probabilities);
        assert.ok(Math.abs(probabilities.reduce((a, b) => a + b, 0) - 1) < 1e-5);
        assert.equal(line.probabilities[line.label], Math.max(...probabilities));
        assert.equal(line.truncated, false);
        assert.equal(line.spans === null, name.startsWith('sentiment'));
      }
      const tables = wrongOnPurpose(readFileSync(path.join(ASSAY_ROOT, 'samples/README.md'), 'utf8'));
      const wrong = new Map(
        (name.startsWith('sentiment') ? tables.sentiment : tables.relations).map((row) => [
          Number(row.id.replace('s', '')) - 1,
          row,
        ]),
      );
      for (const [index, { given, right }] of wrong) {
        assert.equal(inWords(lines[index]!.gold), given);
        assert.equal(lines[index]!.label, right, lines[index]!.text);
      }
      const rightlyLabelled = lines.filter((_, index) => !wrong.has(index));
      const agreeing = rightlyLabelled.filter((line) => line.label === inWords(line.gold)).length;
      const share = agreeing / rightlyLabelled.length;
      assert.ok(share >= 0.85 && share < 1, `${agreeing} of ${rightlyLabelled.length}`);

      const accuracy = agreeing / lines.length;
      assert.ok(stderr.includes(`accuracy ${accuracy.toFixed(4)} (95 % interval `), stderr);
      assert.match(
        stderr,
        new RegExp(
          `^${lines.length} predicted, ${lines.length} judged, ${lines.length - agreeing} wrong, 0 truncated$`,
          'm',
        ),
      );
      assert.match(stderr, /^macro-F1 0\.\d{4} \(95 % interval /m);
      if (name.startsWith('relations')) {
        assert.match(stderr, /^micro-F1 .* without Other$/m);
        assert.match(stderr, /official \(9\+1\)-way, directions merged/);
      }
    });
  }

  it('gives texts and entities as they are, whatever the file writes', async () => {
    const [csv, json] = await Promise.all([
      run(['predict', 'samples/sentiment.csv']),
      run(['predict', 'samples/sentiment.jsonl']),
    ]);
    const [fromCsv, fromJson] = [predictionLines(csv.stdout), predictionLines(json.stdout)];
    const essence = ({ text, label, gold }: PredictionLine) => ({ text, label, gold: inWords(gold) });
    assert.deepEqual(fromCsv.map(essence), fromJson.map(essence));
    assert.deepEqual(fromCsv.map((line) => line.id).slice(0, 3), ['1', '2', '3']);
    assert.deepEqual(fromJson.map((line) => line.id).slice(0, 3), ['s01', 's02', 's03']);
    assert.match(
      json.stderr,
      /labels: (0 -> negative \(\d+\), 1 -> positive|1 -> positive \(\d+\), 0 -> negative) \(\d+\)/,
    );

    const semeval = predictionLines((await run(['predict', 'samples/relations.semeval.txt'])).stdout);
    const source = readFileSync(path.join(ASSAY_ROOT, 'samples/relations.semeval.txt'), 'utf8');
    const marked = [...source.matchAll(/^\d+\t"(.*)"$/gm)].map((match) => match[1]!);
    assert.equal(semeval.length, marked.length);
    semeval.forEach(({ text, spans }, index) => {
      assert.equal(text, marked[index]!.replace(/<\/?e[12]>/g, ''));
      assert.equal(text.slice(spans!.head.start, spans!.head.end), /<e1>(.*)<\/e1>/.exec(marked[index]!)![1]);
      assert.equal(text.slice(spans!.tail.start, spans!.tail.end), /<e2>(.*)<\/e2>/.exec(marked[index]!)![1]);
    });
  });

  it('keeps the order of the file over several windows, and predicts repetitions alike', async () => {
    // Lengths are mixed so that batches sort them; 5,000 rows are more than one window.
    const texts = Array.from({ length: 40 }, (_, index) => `${'very '.repeat((index * 7) % 23)}good, ${index}`);
    const rows = Array.from({ length: 5000 }, (_, index) => ({ text: texts[(index * 13) % 40], label: 1 }));
    const { code, stdout } = await run(['predict', jsonl('many.jsonl', rows)]);
    assert.equal(code, 0);
    const lines = predictionLines(stdout);
    assert.deepEqual(
      lines.map((line) => line.text),
      rows.map((row) => row.text),
    );
    assert.deepEqual(
      lines.map((line) => line.id),
      rows.map((_, index) => String(index + 1)),
    );
    const byText = new Map<string, number>();
    for (const { text, probabilities } of lines) {
      const known = byText.get(text) ?? probabilities.positive!;
      assert.equal(probabilities.positive, known);
      byText.set(text, known);
    }
    assert.equal(byText.size, 40);
  });

  it('says what was cut off and what has no gold label', async () => {
    const long = jsonl('long.jsonl', [{ text: 'good '.repeat(700) }, { text: 'A bad film.' }]);
    const { code, stdout, stderr } = await run(['predict', long]);
    assert.equal(code, 0, stderr);
    const lines = predictionLines(stdout);
    assert.deepEqual(
      lines.map((line) => line.truncated),
      [true, false],
    );
    assert.deepEqual(
      lines.map((line) => line.gold),
      [null, null],
    );
    assert.match(stderr, /labels: the file has none/);
    assert.match(stderr, /2 predicted, 0 judged, 0 wrong, 1 truncated/);
    assert.match(stderr, /no figures: no example has a gold label that the model knows/);
  });

  it('names the gold labels that the model does not have', async () => {
    const rows = ['positive', 'negative', 'positive', 'sarcastic'].map((label) => ({
      text: `A ${label} film.`,
      label,
    }));
    const { stderr } = await run(['predict', jsonl('sarcastic.jsonl', rows)]);
    assert.match(stderr, /sarcastic -> not in the model \(1\)/);
    assert.match(stderr, /4 predicted, 3 judged/);
  });

  it('takes the columns that are named', async () => {
    const rows = [
      {
        title: 'A wonderful, moving film.',
        body: 'It was a terrible, boring mess.',
        stars: 'positive',
        other: 'negative',
      },
      {
        title: 'An awful, tedious film.',
        body: 'It was a delight from start to end.',
        stars: 'negative',
        other: 'positive',
      },
    ];
    const source = jsonl('columns.jsonl', rows);
    for (const columns of ['text=title,label=stars', '{"text":"title","gold":"stars"}']) {
      const lines = predictionLines((await run(['predict', source, '--columns', columns])).stdout);
      assert.deepEqual(
        lines.map((line) => [line.text, line.gold, line.label]),
        [
          [rows[0]!.title, 'positive', 'positive'],
          [rows[1]!.title, 'negative', 'negative'],
        ],
      );
    }
    const lines = predictionLines((await run(['predict', source, '--columns', 'text=body,label=other'])).stdout);
    assert.deepEqual(
      lines.map((line) => [line.gold, line.label]),
      [
        ['negative', 'negative'],
        ['positive', 'positive'],
      ],
    );
  });

  it('refuses a column that the file does not have', async () => {
    const { code, stdout, stderr } = await run(['predict', 'samples/sentiment.csv', '--columns', 'text=review']);
    assert.equal(code, 3);
    assert.equal(stdout, '');
    assert.match(stderr, /review/);
  });

  it('takes another model folder, and says which model it was', async () => {
    const { code, stderr } = await run(['predict', 'samples/sentiment.csv', '--model', sentimentModel]);
    assert.equal(code, 0);
    assert.match(stderr, /model: sentiment-minilm-sst2 \(int8\), 2 labels/);
  });

  it('lists the rows that cannot be read, ten of them, and predicts the others', async () => {
    const good = Array.from({ length: 20 }, (_, index) => `{"text": "Film ${index} is fine.", "label": 1}`);
    const broken = Array.from({ length: 12 }, () => '{"text": "broken');
    const source = file('broken.jsonl', [...good, ...broken, ''].join('\n'));
    const { code, stdout, stderr } = await run(['predict', source]);
    assert.equal(code, 0, stderr);
    assert.equal(predictionLines(stdout).length, 20);
    assert.match(stderr, /20 examples, 12 unreadable rows/);
    assert.equal([...stderr.matchAll(/broken\.jsonl:\d+: /g)].length, 10);
    assert.match(stderr, /… and 2 more like these/);
  });

  it('counts bytes that are not valid', async () => {
    // Other characters show that the file is UTF-8.
    const [before, after] = ['text,label\nA f', 'ne film,positive\nA bad film in a café,negative\n'];
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xfc]), Buffer.from(after)]);
    const { code, stdout, stderr } = await run(['predict', file('damaged.csv', bytes)]);
    assert.equal(code, 0);
    assert.equal(predictionLines(stdout)[0]!.text, 'A f\ufffdne film');
    assert.match(stderr, /1 byte not valid in/);
  });

  it('answers input that cannot be used with exit code 3, what, where, and what to do', async () => {
    mkdirSync(path.join(folder, 'empty-model'));
    const prose = file('prose.txt', 'Dear all,\n\nthe meeting is at ten. Bring cake.\n\nYours\n');
    for (const [args, message] of [
      [['predict', 'samples/nothing.csv'], /samples\/nothing\.csv: there is no such file/],
      [['predict', 'samples'], /samples: this is a folder/],
      [['predict', prose], /prose\.txt: /],
      [['predict', file('empty.csv', '')], /empty\.csv: /],
      [['predict', 'samples/sentiment.csv', '--model', path.join(folder, 'empty-model')], /config\.json is missing/],
      [['predict', 'samples/sentiment.csv', '--model', path.join(folder, 'no-model')], /no-model is not a folder/],
      [
        ['predict', 'samples/sentiment.csv', '--model', relationModel],
        /this model is for relation examples, the file holds sentiment/,
      ],
      [
        ['predict', 'samples/relations.jsonl', '--model', sentimentModel],
        /this model is for sentiment examples, the file holds relation/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await run([...args]);
      assert.equal(code, 3, `${args.join(' ')}: ${stderr}`);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /fault of Assay|\n +at /);
    }
  });

  it('stops, without complaint, when nobody reads on', async () => {
    const texts = Array.from({ length: 3000 }, (_, index) => ({ text: `film number ${index}` }));
    let writes = 0;
    const { code, stderr } = await run(['predict', jsonl('pipe.jsonl', texts)], {
      write: async () => {
        writes++;
        throw new OutputClosed();
      },
    });
    assert.equal(code, 0);
    assert.equal(writes, 1);
    assert.doesNotMatch(stderr, /fault|predicted/);
  });

  it('stops when interrupted, with what it has written and exit code 130', async () => {
    const texts = Array.from({ length: 5000 }, (_, index) => ({ text: `film number ${index}` }));
    const interruption = new AbortController();
    let written = '';
    const { code, stderr } = await run(
      ['predict', jsonl('interrupted.jsonl', [...texts, { text: 'the last film of all' }])],
      {
        write: async (text) => {
          written += text;
          interruption.abort();
        },
        signal: interruption.signal,
      },
    );
    assert.equal(code, 130, stderr);
    const count = predictionLines(written).length;
    assert.ok(count > 0 && count < 5001);
    assert.match(stderr, new RegExp(`interrupted after ${count} of 5001 examples`));
  });
});
