/** What the names of columns tell. */

/** Best first. Names are compared without case, spaces and punctuation. */
const textNames = [
  'text',
  'sentence',
  'review',
  'reviewtext',
  'content',
  'reviewcontent',
  'reviewbody',
  'sent',
  'sentences',
  'body',
  'comment',
  'commenttext',
  'comments',
  'tweet',
  'tweettext',
  'utterance',
  'message',
  'phrase',
  'passage',
  'snippet',
  'reviews',
  'document',
  'statement',
  'rawtext',
  'cleantext',
  'texts',
  'post',
  'posttext',
  'fulltext',
  'originaltext',
  'inputtext',
  'sentencetext',
  'sms',
  'quote',
];
/** Names of text that also stand for other things: they count only beside a label. */
const weakTextNames = [
  'headline',
  'title',
  'summary',
  'description',
  'question',
  'input',
  'context',
  'article',
  'paragraph',
  'string',
];
export const tokenListNames = ['token', 'tokens', 'words'];

const goldNames = [
  'label',
  'goldlabel',
  'gold',
  'sentiment',
  'polarity',
  'relation',
  'sentimentlabel',
  'relationtype',
  'relationlabel',
  'labels',
  'goldstandard',
  'majority',
  'majorityvote',
  'consensus',
  'adjudicated',
  'final',
  'groundtruth',
  'class',
  'category',
  'emotion',
  'rel',
  'target',
  'rating',
  'stars',
  'starrating',
  'reviewrating',
  'overall',
  'classlabel',
  'classindex',
  'labeltext',
  'labelname',
  'tag',
  'annotation',
  'predicate',
  'y',
  'score',
  'output',
  'answer',
];
/** Words that make a longer name a likely label (`airline_sentiment`). */
const goldWords = new Set([
  'label',
  'gold',
  'sentiment',
  'polarity',
  'relation',
  'class',
  'category',
  'emotion',
  'rating',
  'stars',
  'majority',
  'consensus',
  'adjudicated',
]);
/** Words that say that a number stands for the label (`label_id`), beside it or in its place. */
const codeWords = new Set(['id', 'index', 'idx', 'no', 'num', 'code']);
/** What one of several people said of a text; it is the label only where nothing says what all of them said. */
const oneOfSeveral = /^(?:annot|annotator|annotation|rater|coder|judge|expert|worker|turker|labell?er)(?:\d+|[abc])$/;
/** Words that make a name something other than the label, whatever else it says (`label_id`, `sentiment:confidence`, `pred_label`). */
const lookAlikeWords = new Set([
  'name',
  'id',
  'ids',
  'index',
  'idx',
  'no',
  'date',
  'time',
  'timestamp',
  'created',
  'confidence',
  'conf',
  'probability',
  'prob',
  'logit',
  'logits',
  'annotator',
  'annotators',
  'worker',
  'user',
  'author',
  'reason',
  'explanation',
  'rationale',
  'source',
  'url',
  'link',
  'split',
  'count',
  'length',
  'pred',
  'predicted',
  'prediction',
  'model',
  'lang',
  'language',
  'location',
  'coord',
  'trusted',
  'state',
  'at',
]);
/** Such words at the end of one that is written together (`negativereason`). */
const lookAlikeEnding = /.(?:confidence|reason|probability|timestamp|annotator|prediction)$/;
const idNames = new Set([
  'id',
  'ids',
  'uid',
  'guid',
  'uuid',
  'idx',
  'index',
  'unitid',
  'sampleid',
  'exampleid',
  'tweetid',
  'sentenceid',
  'reviewid',
  'textid',
  'instanceid',
  'rowid',
  'docid',
]);

/** Head and tail, in the order they are looked for. */
const entityRoots: readonly (readonly [string, string])[] = [
  ['h', 't'],
  ['head', 'tail'],
  ['subj', 'obj'],
  ['subject', 'object'],
  ['e1', 'e2'],
  ['entity1', 'entity2'],
  ['ent1', 'ent2'],
  ['arg1', 'arg2'],
];
const entitySuffixes = ['', 'entity', 'span', 'pos', 'name', 'text', 'mention', 'start'];

const nameSuffixes = ['', 'name', 'text', 'mention', 'entity', 'surface', 'word'];

/** Names of a label itself: a first row that holds one is no header. */
const labelValues = new Set([
  'positive',
  'negative',
  'neutral',
  'pos',
  'neg',
  'neu',
  'norelation',
  'other',
  'true',
  'false',
  'good',
  'bad',
  'joy',
  'anger',
  'sadness',
]);

/** The last part of a path, its words in lower case: `review.starRating` -> star, rating. */
function nameWords(name: string): string[] {
  const last = name.slice(name.lastIndexOf('.') + 1) || name;
  return last
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

export function normalised(name: string): string {
  return nameWords(name).join('');
}

/** 0 to 1: how surely a name is the text's. */
export function textNameScore(name: string): number {
  const plain = normalised(name);
  const rank = textNames.indexOf(plain);
  if (rank !== -1) return 1 - rank / (textNames.length * 4);
  return weakTextNames.includes(plain) ? 0.4 : 0;
}

/** 0 to 1: how surely a name is the gold label's. */
export function goldNameScore(name: string): number {
  const rank = goldNames.indexOf(normalised(name));
  if (rank !== -1) return 1 - rank / (goldNames.length * 2);
  const words = nameWords(name);
  if (isOneOfSeveral(name)) return ONE_OF_SEVERAL;
  if (isLookAlike(name)) {
    const isCode = words.every((word) => codeWords.has(word) || goldWords.has(word));
    return isCode && words.some((word) => goldWords.has(word)) ? LABEL_CODE : 0;
  }
  return words.some((word) => goldWords.has(word)) ? 0.45 : 0;
}

/** How surely such a name is the label's: less than any other that is. */
const ONE_OF_SEVERAL = 0.15;
const LABEL_CODE = 0.2;

/** `annotator1`, `rater_2`. */
function isOneOfSeveral(name: string): boolean {
  return oneOfSeveral.test(normalised(name));
}

export function isLookAlike(name: string): boolean {
  return nameWords(name).some((word) => lookAlikeWords.has(word) || lookAlikeEnding.test(word));
}

export function isIdName(name: string): boolean {
  return idNames.has(normalised(name));
}

export function isLabelValue(cell: string): boolean {
  return labelValues.has(normalised(cell));
}

/** Of names that are alike the first. */
function firstByName(names: readonly string[]): Map<string, string> {
  const byName = new Map<string, string>();
  for (const name of names) if (!byName.has(normalised(name))) byName.set(normalised(name), name);
  return byName;
}

/** Pairs of columns that may be head and tail, most likely first. */
export function entityPairs(names: readonly string[]): { head: string; tail: string }[] {
  const byName = firstByName(names);
  const pairs: { head: string; tail: string }[] = [];
  for (const [headRoot, tailRoot] of entityRoots) {
    for (const suffix of entitySuffixes) {
      const head = byName.get(headRoot + suffix) ?? byName.get(suffix + headRoot);
      const tail = byName.get(tailRoot + suffix) ?? byName.get(suffix + tailRoot);
      if (head !== undefined && tail !== undefined) pairs.push({ head, tail });
    }
  }
  return pairs;
}

/** The columns that belong to an entity's column: where it ends (for `subj_start`), its words, its type. */
export interface EntityCompanions {
  end: string | null;
  /** Its words, where the column says where it starts. */
  name: string | null;
  type: string | null;
  /** TACRED's `subj_end` and `obj_end` name the last word, not the one behind. */
  inclusive: boolean;
}

export function entityCompanions(column: string, names: readonly string[]): EntityCompanions {
  const byName = firstByName(names);
  const plain = normalised(column);
  const suffix = entitySuffixes.find(
    (ending) => ending !== '' && plain.endsWith(ending) && plain.length > ending.length,
  );
  const root = suffix === undefined ? plain : plain.slice(0, -suffix.length);
  return {
    end: suffix === 'start' ? (byName.get(`${root}end`) ?? null) : null,
    name:
      suffix === 'start'
        ? (nameSuffixes.map((ending) => byName.get(root + ending)).find((name) => name !== undefined) ?? null)
        : null,
    type: byName.get(`${root}type`) ?? byName.get(`${plain}type`) ?? null,
    inclusive: root === 'subj' || root === 'obj',
  };
}
