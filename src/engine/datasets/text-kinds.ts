import { listed } from './columns';
import { JsonError, OPEN_OBJECT, skipSpace, visitMembers } from './json-scanner';

/** Says what a text that is no dataset looks like: for messages, and for the one format that any text could be (lines-format.ts). */

const whatToDo =
  'Assay reads rows of a text and its label: JSON or JSON Lines, CSV or TSV, and the usual formats of sentiment and relation datasets (its README lists them). Open such a file.';

/** Whole sentences for the person: what the text looks like, why it is no dataset, what to do. */
export function describeText(text: string): string {
  if (text.trim() === '') return `The file is empty: there is nothing to classify. ${whatToDo}`;
  return `This looks like ${textKind(text)}, not like a dataset: it has no rows of a text and its label. ${whatToDo}`;
}

interface Kind {
  name: string;
  pattern: RegExp;
}

const lockFiles: readonly Kind[] = [
  { name: 'a lock file (yarn.lock)', pattern: /^# yarn lockfile/m },
  { name: 'a lock file (pnpm-lock.yaml)', pattern: /^lockfileVersion:/m },
  { name: 'a lock file (of Cargo, Poetry or the like)', pattern: /^\[\[package\]\]\r?$/m },
];

const jsonKinds: readonly { name: string; keys: readonly string[] }[] = [
  { name: 'a lock file (package-lock.json)', keys: ['lockfileVersion'] },
  { name: 'a TypeScript configuration (tsconfig.json)', keys: ['compilerOptions'] },
  { name: 'a package manifest (package.json)', keys: ['name', 'version'] },
  { name: 'a Jupyter notebook', keys: ['cells', 'nbformat'] },
];

/** Lines as programs of the common languages have them. */
const codeLines: readonly RegExp[] = [
  /[;{}]\s*$/,
  /^\s*(?:import\s[\w.{*"']|from\s[\w.]+\simport\b|export\s|package\s[\w.]+|use\s[\w:]+|using\s|namespace\s|#include\b)/,
  /^\s*(?:(?:const|let|var|my|our)\s[\w$@%{[(]|(?:async\s)?function\b|def\s\w|class\s\w|sub\s\w|fn\s\w|func\s\w)/,
  /^\s*(?:public|private|protected|static|return|raise|throw|assert|yield|del)\b/,
  /^\s*(?:if|elif|for|while|with|except|switch|catch)\b.*[:{)]\s*$/,
  /^\s*(?:else|try|finally)\s*[:{]/,
  /^\s*(?:\/\/|\/\*|\*\s|\*\/|"""|@\w)/,
  /^\s+[\w.$[\]'"]+\s*[-+*/|.]?=\s*\S/,
  /^\s*[\w.$>-]+\(.*\)\s*$/,
];
const markdownLine = /^(?:#{1,6}\s\S|\s*[-*+]\s\S|\s*\d+\.\s\S|```|>\s|\|.*\||!?\[[^\]]*\]\()/;
const settingLine = /^\s*(?:-\s+)?[\w.-]+\s*[:=](?:\s|$)|^\s*\[[\w.\s"-]+\]\s*$/;

const markdown = 'a Markdown page (a README, for instance)';

/** What a text is called in a sentence: `source code`, `prose`. */
export function textKind(text: string): string {
  const trimmed = text.trimStart();
  const bare = trimmed.replace(/^[ \t]*\/\/.*$/gm, '').trimStart();
  if (bare.startsWith('{')) return jsonKind(bare);
  for (const { name, pattern } of lockFiles) if (pattern.test(text)) return name;
  if (/^\[\s*(?:[\]{["\d-]|true|false|null)/.test(trimmed)) return 'a JSON list that holds no readable row';
  if (/^<(?:\?xml|!doctype|[a-z])/i.test(trimmed))
    return /^<(?:!doctype html|html)/i.test(trimmed) ? 'a web page (HTML)' : 'an XML file';

  const lines = text.split(/\r\n|\r|\n/, 500).filter((line) => line.trim() !== '');
  const share = (patterns: readonly RegExp[]) =>
    lines.filter((line) => patterns.some((pattern) => pattern.test(line))).length / lines.length;
  const hasHeading = /^#{1,6}\s\S/m.test(text);
  if (hasHeading && /^[ \t]*```|\]\([^)\s]{1,2000}\)/m.test(text)) return markdown;
  if (share(codeLines) > 0.35) return 'source code';
  if (hasHeading && share([markdownLine]) > 0.15) return markdown;
  if (share([settingLine]) > 0.6) return 'a file of settings (YAML, TOML or the like)';
  const words = lines.reduce((sum, line) => sum + line.trim().split(/\s+/).length, 0) / lines.length;
  return words >= 4 ? 'prose' : 'plain text';
}

/** A JSON object, perhaps cut off, by its keys. */
function jsonKind(text: string): string {
  const keys: string[] = [];
  try {
    const end = visitMembers(text, 0, text.length, (start, end) => keys.push(text.slice(start, end)));
    if (text.charCodeAt(skipSpace(text, end, text.length)) === OPEN_OBJECT)
      return 'JSON objects that go on over several lines (JSON Lines has one a line)';
  } catch (error) {
    // What came before the fault tells enough.
    if (!(error instanceof JsonError)) throw error;
  }
  // With comments and trailing commas it is no strict JSON.
  if (keys.length === 0) for (const match of text.slice(0, 2000).matchAll(/"([^"\\\n]+)"\s*:/g)) keys.push(match[1]!);
  const known = jsonKinds.find((kind) => kind.keys.every((key) => keys.includes(key)));
  if (known !== undefined) return known.name;
  return keys.length === 0 ? 'one JSON object' : `one JSON object with the keys ${listed(keys, 5)}`;
}
