/** `.assay/suite.json`: a suite that a person has put together. Its schema, for the editor, is schemas/suite.schema.json. */
import type { Task } from '../../protocol/dataset';
import type { Expectation, Part } from '../../protocol/perturbation';
import { type OwnPerturbation, ownPerturbation, type Replacement } from './own/own-perturbation';
import type { Perturbation } from './perturbation';
import { parts } from './regions';
import { type Slice, sliceFields } from './slice';
import { fullSuite, plainTest, quickSuite, type Suite, type SuiteTest, standardThreshold } from './suite';

/** It cannot be used. The message says where in the file, what is wrong there, and what may stand there. */
export class SuiteFileError extends Error {
  override readonly name = 'SuiteFileError';
}

const version = 1;
const standardMost = 4;

/**
 * The suite that a file of that name describes, of the perturbations for a task: what it says of others is left out. Throws SuiteFileError.
 */
export function parseSuite(text: string, known: readonly Perturbation[], task: Task, name = 'suite.json'): Suite {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new SuiteFileError(`it is not valid JSON: ${(error as Error).message}`);
  }
  const file = new Member(json, 'the file').object([
    '$schema',
    'version',
    'extends',
    'mostAnExample',
    'tests',
    'perturbations',
  ]);
  const ofVersion = file.need('version').number({ isInteger: true });
  if (ofVersion !== version) throw new SuiteFileError(`version is ${ofVersion}; this Assay reads version ${version}.`);
  const own = (file.get('perturbations')?.list() ?? []).map(ownOf);
  const all = [...known];
  for (const one of own) {
    if (all.some(({ id }) => id === one.id))
      throw new SuiteFileError(`there are two perturbations called "${one.id}".`);
    all.push(one);
  }
  const base = file.get('extends')?.oneOf(['quick', 'full', 'nothing'] as const) ?? 'nothing';
  const ofTask = known.filter(({ tasks }) => tasks.includes(task));
  const extended = base === 'quick' ? quickSuite(ofTask) : base === 'full' ? fullSuite(ofTask) : null;
  const said = (file.get('tests')?.list() ?? []).map((member) => testOf(member, all));
  // What is described and not named by a test is one by itself.
  const unnamed = own.filter((one) => !said.some(({ perturbation }) => perturbation === one));
  const tests = [...said, ...unnamed.map((one) => plainTest(one, standardMost))];
  const twice = tests.find(({ id }, index) => tests.findIndex((other) => other.id === id) < index);
  if (twice !== undefined) {
    throw new SuiteFileError(`two tests are called "${twice.id}": give one of them another "id".`);
  }
  const replaced = new Set(tests.map(({ id }) => id));
  const kept = (extended?.tests ?? []).filter(({ id }) => !replaced.has(id));
  const suite = [...kept, ...tests].filter(({ perturbation }) => perturbation.tasks.includes(task));
  if (suite.length === 0) {
    throw new SuiteFileError(
      `it has no test for ${task} examples: name perturbations in "tests", or say "extends": "quick".`,
    );
  }
  const mostAnExample = file.get('mostAnExample')?.number({ low: 1, isInteger: true });
  return {
    name,
    tests: suite,
    mostAnExample: mostAnExample ?? extended?.mostAnExample ?? Number.POSITIVE_INFINITY,
  };
}

function testOf(member: Member, all: readonly Perturbation[]): SuiteTest {
  const keys = ['perturbation', 'id', 'name', 'parts', 'options', 'expectation', 'threshold', 'most', 'slice'];
  const test = member.object(keys);
  const named = test.need('perturbation');
  const id = named.text();
  const ids = all.map((one) => one.id).join(', ');
  const perturbation =
    all.find((one) => one.id === id) ?? named.refuse(`there is no perturbation "${id}"; there are: ${ids}`);
  return {
    id: test.get('id')?.text() ?? perturbation.id,
    name: test.get('name')?.text() ?? test.get('id')?.text() ?? perturbation.name,
    perturbation,
    parts: partsOf(test.get('parts')),
    values: valuesOf(test.get('options'), perturbation),
    expectation: expectationOf(test.get('expectation')) ?? perturbation.expectation,
    threshold: test.get('threshold')?.number({ low: 0, high: 1 }) ?? standardThreshold,
    most: test.get('most')?.number({ low: 1, isInteger: true }) ?? standardMost,
    slice: sliceOf(test.get('slice')),
  };
}

function partsOf(member: Member | undefined): Part[] | null {
  return member === undefined ? null : member.list().map((one) => one.oneOf(parts));
}

function valuesOf(member: Member | undefined, { id, options }: Perturbation): Record<string, number> {
  if (member === undefined) return {};
  if (options.length === 0) member.refuse(`${id} has no options`);
  const said = member.object(options.map(({ name }) => name));
  return Object.fromEntries(
    options.flatMap((option) => {
      const value = said.get(option.name)?.number(option);
      return value === undefined ? [] : [[option.name, value]];
    }),
  );
}

/** `"label-stays"`, `"label-changes"`, `"negative"`, `"gold-not-rising"`, `{ "label-becomes": "Other" }` or `{ "gold-not-rising": 0.1 }`. */
function expectationOf(member: Member | undefined): Expectation | null {
  if (member === undefined) return null;
  if (typeof member.value === 'object') {
    const said = member.object(['label-becomes', 'gold-not-rising']);
    const label = said.get('label-becomes')?.text();
    if (label !== undefined) return { kind: 'label-becomes', label };
    return { kind: 'gold-not-rising', tolerance: said.need('gold-not-rising').number({ low: 0, high: 1 }) };
  }
  const kind = member.oneOf(['label-stays', 'label-changes', 'negative', 'gold-not-rising'] as const);
  if (kind === 'label-changes') return { kind: 'label-becomes', label: null };
  return kind === 'gold-not-rising' ? { kind, tolerance: standardTolerance } : { kind };
}

/** Less than this nobody sees. */
const standardTolerance = 0.05;

function sliceOf(member: Member | undefined): Slice | null {
  if (member === undefined) return null;
  const said = member.object(['word', 'pattern', 'flags', 'field', 'value']);
  const word = said.get('word')?.text();
  if (word !== undefined) return { kind: 'word', word };
  const pattern = said.get('pattern');
  if (pattern !== undefined) return { kind: 'pattern', pattern: patternOf(pattern, said.get('flags')) };
  return { kind: 'field', field: said.need('field').oneOf(sliceFields), value: said.need('value').text() };
}

function patternOf(pattern: Member, flags: Member | undefined): RegExp {
  try {
    return new RegExp(pattern.text(), flags?.text() ?? 'u');
  } catch (error) {
    return pattern.refuse(`it is no regular expression: ${(error as Error).message}`);
  }
}

function ownOf(member: Member): Perturbation {
  const said = member.object(['id', 'name', 'description', 'tasks', 'parts', 'expectation', 'replace']);
  const id = said.need('id').text();
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id)) said.need('id').refuse('an id is made of small letters, digits and hyphens');
  const own: OwnPerturbation = {
    id,
    name: said.get('name')?.text() ?? id,
    description: said.get('description')?.text() ?? 'Described in the suite file.',
    tasks: said
      .get('tasks')
      ?.list()
      .map((one) => one.oneOf(['sentiment', 'relation'] as const)) ?? ['sentiment', 'relation'],
    parts: partsOf(said.get('parts')) ?? ['before', 'between', 'after', 'context'],
    expectation: expectationOf(said.get('expectation')) ?? { kind: 'label-stays' },
    replace: said.need('replace').list().map(replacementOf),
  };
  return ownPerturbation(own);
}

function replacementOf(member: Member): Replacement {
  const said = member.object(['words', 'pattern', 'flags', 'by']);
  const by = said
    .need('by')
    .list()
    .map((one) => one.text());
  const pattern = said.get('pattern');
  if (pattern !== undefined) return { kind: 'pattern', pattern: patternOf(pattern, said.get('flags')), by };
  const words = said
    .need('words')
    .list()
    .map((one) => one.text());
  if (words.length === 0 || words.includes('')) said.need('words').refuse('it needs words that are not empty');
  return { kind: 'words', words, by };
}

/** A value of the file and where it stands, for messages. */
class Member {
  readonly value: unknown;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.#path = path;
  }

  refuse(what: string): never {
    throw new SuiteFileError(`${this.#path}: ${what}.`);
  }

  object(keys: readonly string[]) {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.refuse('an object { … } should stand here');
    const members = new Map(Object.entries(value));
    for (const key of members.keys()) {
      if (!keys.includes(key)) this.refuse(`"${key}" is not known here; known are ${keys.join(', ')}`);
    }
    const get = (key: string): Member | undefined =>
      members.has(key)
        ? new Member(members.get(key), this.#path === 'the file' ? key : `${this.#path}.${key}`)
        : undefined;
    const need = (key: string): Member => get(key) ?? this.refuse(`"${key}" is missing`);
    return { get, need };
  }

  list(): Member[] {
    if (!Array.isArray(this.value)) return this.refuse('a list [ … ] should stand here');
    return this.value.map((value, index) => new Member(value, `${this.#path}[${index}]`));
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.refuse('text in quotes should stand here');
  }

  oneOf<T extends string>(known: readonly T[]): T {
    return (
      known.find((one) => one === this.value) ??
      this.refuse(`${JSON.stringify(this.value)} is none of ${known.join(', ')}`)
    );
  }

  number({
    low = -Infinity,
    high = Infinity,
    isInteger = false,
  }: {
    low?: number;
    high?: number;
    isInteger?: boolean;
  }): number {
    const { value } = this;
    if (typeof value !== 'number') return this.refuse('a number should stand here');
    if (value < low || value > high || (isInteger && !Number.isInteger(value))) {
      return this.refuse(`${value} is not ${isInteger ? 'a whole number' : 'a number'} from ${low} to ${high}`);
    }
    return value;
  }
}
