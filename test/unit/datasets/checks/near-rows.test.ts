import assert from 'node:assert/strict';
import { nearPairs } from '../../../../src/engine/datasets/checks/near-rows';
import { RowFacts, shinglesOf } from '../../../../src/engine/datasets/checks/row-facts';
import { bandingFor, ESTIMATE_SLACK, SKETCH_BINS, writeSketch } from '../../../../src/engine/datasets/checks/sketch';
import { jaccard } from '../../../../src/engine/datasets/checks/text-scan';
import { createRandom, type Random } from '../../../../src/engine/statistics/random';
import { finish } from './checking';

/** A word of no language, so that no two texts are alike by chance. */
function word(random: Random): string {
  let text = '';
  for (let syllable = 0; syllable < 4; syllable++) {
    text += 'bdfgklmnprstvz'[random.int(14)]! + 'aeiou'[random.int(5)]!;
  }
  return text;
}

function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => word(random));
}

/** Two texts of so many words that are at least as alike as the threshold, and hardly more: the last change is the one that still fits. */
function pairAt(random: Random, wordCount: number, threshold: number): [string, string] {
  const first = words(random, wordCount);
  let second = first;
  for (let tries = 0; tries < Math.min(60, 3 * wordCount); tries++) {
    const changed = [...second];
    const at = random.int(changed.length);
    const kind = random.int(3);
    if (kind === 0) changed[at] = word(random);
    else if (kind === 1) changed.splice(at, 0, word(random));
    else changed.splice(at, 1);
    if (jaccard(shinglesOf(first.join(' ')), shinglesOf(changed.join(' '))) >= threshold) second = changed;
  }
  return [first.join(' '), second.join(' ')];
}

function exampleOf(text: string) {
  return {
    id: '',
    text,
    spans: null,
    aspect: null,
    mentions: null,
    sentences: null,
    types: null,
    gold: null,
    record: { start: 0, startLine: 0 },
    map: { textLength: text.length, documentStart: 0, runs: null },
    textField: { start: 0, end: text.length },
    goldField: null,
  };
}

function pairsAmong(texts: readonly string[], threshold: number) {
  const facts = new RowFacts();
  for (const text of texts) facts.add(exampleOf(text));
  let compared = 0;
  const found = finish(
    nearPairs(
      {
        count: texts.length,
        factsOf: () => facts,
        slotOf: (row) => row,
        isAsked: () => true,
        isCandidate: () => true,
        similarity(row, earlier) {
          compared++;
          return jaccard(shinglesOf(texts[row]!).slice(), shinglesOf(texts[earlier]!));
        },
      },
      threshold,
    ),
  );
  return { ...found, compared };
}

describe('dataset checks: min-hash sketches', () => {
  it('agree in as many bins as the sets are alike: unbiased, for small sets too', () => {
    const random = createRandom(5);
    const sketches = new Uint16Array(2 * SKETCH_BINS);
    const full = new Uint32Array(4);
    for (const [common, own] of [
      [3, 1],
      [8, 2],
      [20, 10],
      [200, 30],
      [20, 60],
    ] as const) {
      const rounds = 600;
      let agreed = 0;
      for (let round = 0; round < rounds; round++) {
        const set = (count: number) => Array.from({ length: count }, () => random.uint32());
        const shared = set(common);
        for (const side of [0, 1])
          writeSketch(Uint32Array.from([...shared, ...set(own)]).sort(), sketches, side * SKETCH_BINS, full, side * 2);
        for (let bin = 0; bin < SKETCH_BINS; bin++) if (sketches[bin] === sketches[SKETCH_BINS + bin]) agreed++;
      }
      const expected = common / (common + 2 * own);
      const found = agreed / (rounds * SKETCH_BINS);
      // Four standard errors; a round is worth at least as many bins as there are shingles, 64 at most.
      const error = Math.sqrt((expected * (1 - expected)) / (rounds * Math.min(common + own, SKETCH_BINS)));
      assert.ok(Math.abs(found - expected) < 4 * error, `${common} common, ${own} own: ${found}, not ${expected}`);
    }
  });

  it('tell the similarity of small sets nearly, of large ones within the slack, and what surely is below not at all', () => {
    const random = createRandom(12);
    const word = (number: number) => `w${number}x`;
    for (const [length, most] of [
      [8, ESTIMATE_SLACK],
      [20, 0.12],
      [100, ESTIMATE_SLACK],
      [400, ESTIMATE_SLACK],
    ] as const) {
      let beyond = 0;
      for (let round = 0; round < 300; round++) {
        const first = Array.from({ length }, () => word(random.uint32()));
        const changes = 1 + random.int(Math.max(1, length >> 3));
        const second = [...first];
        for (let change = 0; change < changes; change++) second[random.int(length)] = word(random.uint32());
        const facts = new RowFacts();
        const slots = [first, second].map((words) => facts.add(exampleOf(words.join(' '))));
        const exact = jaccard(shinglesOf(first.join(' ')), shinglesOf(second.join(' ')));
        if (Math.abs(facts.estimate(slots[0]!, slots[1]!, facts, 0) - exact) > most) beyond++;
        const other = facts.add(exampleOf(Array.from({ length }, () => word(random.uint32())).join(' ')));
        assert.ok(facts.estimate(slots[0]!, other, facts, 0.5) < 0.3);
      }
      assert.ok(beyond <= 6, `${length} words: ${beyond} of 300 beyond ${most}`);
    }
  });

  it('are cut into the longest bands that find pairs at the threshold', () => {
    for (let threshold = 0.5; threshold <= 1; threshold += 0.01) {
      const { bands, binsPerBand } = bandingFor(threshold);
      assert.ok(bands * binsPerBand <= SKETCH_BINS);
      assert.ok(1 - (1 - threshold ** binsPerBand) ** bands >= 0.98, `at ${threshold}`);
    }
    assert.deepEqual(bandingFor(1), { bands: 1, binsPerBand: SKETCH_BINS });
  });
});

describe('dataset checks: near rows', () => {
  for (const threshold of [0.5, 0.65, 0.8, 0.9]) {
    it(`are found with a recall of 0.95 or more at the threshold ${threshold}, whatever their length`, () => {
      for (const wordCount of [6, 12, 20, 60, 200]) {
        const random = createRandom(wordCount);
        const pairs = Array.from({ length: wordCount > 50 ? 100 : 400 }, () => pairAt(random, wordCount, threshold));
        const texts = [...pairs.map(([first]) => first), ...pairs.map(([, second]) => second)];
        const { partner, similarity } = pairsAmong(texts, threshold);
        let found = 0;
        for (let at = 0; at < pairs.length; at++) {
          const row = pairs.length + at;
          if (partner[row] === -1) continue;
          assert.equal(partner[row], at, 'unrelated texts were paired');
          const [first, second] = pairs[at]!;
          assert.equal(similarity[row], jaccard(shinglesOf(first), shinglesOf(second)));
          assert.ok(similarity[row]! >= threshold);
          found++;
        }
        assert.ok(found / pairs.length >= 0.95, `${wordCount} words: ${found} of ${pairs.length}`);
      }
    });
  }

  it('of long texts are compared in short steps', () => {
    const random = createRandom(11);
    const common = words(random, 5000);
    const texts = Array.from({ length: 40 }, () => [...common, ...words(random, 400)].join(' '));
    const facts = new RowFacts();
    for (const text of texts) facts.add(exampleOf(text));
    let sinceStep = 0;
    let most = 0;
    const steps = nearPairs(
      {
        count: texts.length,
        factsOf: () => facts,
        slotOf: (row) => row,
        isAsked: () => true,
        isCandidate: () => true,
        similarity(row, earlier) {
          most = Math.max(most, ++sinceStep);
          return jaccard(shinglesOf(texts[row]!).slice(), shinglesOf(texts[earlier]!));
        },
      },
      0.8,
    );
    // A row is compared with all that its bucket shows of it before the next step.
    let compared = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      compared += sinceStep;
      sinceStep = 0;
    }
    assert.ok(compared >= 39, `${compared} comparisons`);
    assert.ok(most <= 20, `${most} comparisons in a step`);
  });

  it('are found among rows of one template, without comparing every two of them', () => {
    const random = createRandom(9);
    const slots = Array.from({ length: 10 }, () => words(random, 40));
    const template = words(random, 6);
    const filled = () => slots.flatMap((choices, at) => [choices[random.int(40)]!, template[at % 6]!]);
    const rows = Array.from({ length: 20_000 }, filled);
    const planted: [number, number][] = [];
    for (let at = 0; at < 400; at++) {
      // One of 20 words another: 16 of 22 pairs of words.
      const of = random.int(10_000);
      const copy = [...rows[of]!];
      copy[0] = word(random);
      planted.push([rows.length, of]);
      rows.push(copy);
    }
    const { partner, similarity, compared } = pairsAmong(
      rows.map((row) => row.join(' ')),
      0.8,
    );
    const found = planted.filter(([row]) => partner[row] !== -1);
    assert.ok(found.length / planted.length >= 0.95, `${found.length} of ${planted.length}`);
    for (const [row, of] of found) assert.ok(partner[row] === of || similarity[row]! >= 0.8);
    assert.ok(compared < rows.length * 30, `${compared} comparisons of ${rows.length} rows`);
  });

  it('cost no more each where all rows are alike', () => {
    const random = createRandom(11);
    const template = words(random, 30).join(' ');
    const rows = Array.from({ length: 5_000 }, (_, number) => `${template} ${number}`);
    const { partner, compared } = pairsAmong(rows, 0.8);
    assert.equal(partner[0], -1);
    assert.ok(partner.subarray(1).every((of, at) => of !== -1 && of <= at));
    assert.ok(compared < rows.length * 15, `${compared} comparisons`);
  });

  it('are looked for among the candidates alone, however many rows ask', () => {
    const random = createRandom(13);
    const text = words(random, 30).join(' ');
    const facts = new RowFacts();
    const count = 3000;
    for (let row = 0; row < count; row++) facts.add(exampleOf(`${text} ${row}`));
    let looks = 0;
    const { partner } = finish(
      nearPairs(
        {
          count,
          factsOf: () => facts,
          slotOf: (row) => {
            looks++;
            return row;
          },
          isAsked: (row) => row > 0,
          isCandidate: (row) => row === 0,
          similarity: () => 0.9,
        },
        0.8,
      ),
    );
    assert.ok(partner.subarray(1).every((of) => of === 0));
    assert.ok(looks < count * 300, `${looks} looks`);
  });
});
