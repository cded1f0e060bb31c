import { shortened } from './entities';

/** Stand-off annotations of BRAT (`X.ann`): entities `T1<tab>Person 0 5;10 15<tab>text` and relations `R1<tab>Kills Arg1:T1 Arg2:T2`. */

/** Offsets in code points of the annotated text, end exclusive. A discontinuous entity goes from its first to its last part. */
export interface BratEntity {
  id: string;
  type: string;
  start: number;
  end: number;
  /** Its parts by where they stand; null where it is in one piece. */
  parts: readonly { start: number; end: number }[] | null;
  /** What the line says stands there; of a discontinuous one, its parts joined by blanks. */
  surface: string | null;
}

export interface BratRelation {
  id: string;
  label: string;
  head: BratEntity;
  tail: BratEntity;
  /** From the first to the last character of both. */
  start: number;
  end: number;
}

export interface BratAnnotations {
  entityCount: number;
  /** By where they begin. */
  relations: BratRelation[];
  /** What is wrong with a line, which is named. */
  faults: string[];
}

const entityLine = /^(T\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?$/;
const relationLine = /^(R\S+)\t(\S+) (?:[^\s:]+:(\S+)) (?:[^\s:]+:(\S+))\s*$/;
/** Events, attributes, normalisations, notes and equivalences are no relations. */
const otherLine = /^(?:[EAMN]\S+|#\S*|\*)[\t ]/;

/** Null if the text is no file of annotations. */
export function parseBrat(text: string): BratAnnotations | null {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const entities = new Map<string, BratEntity>();
  const relationLines: { match: RegExpExecArray; line: number }[] = [];
  const faults: string[] = [];
  let known = 0;
  let filled = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    filled++;
    const entity = entityLine.exec(line);
    const relation = entity === null ? relationLine.exec(line) : null;
    if (entity !== null) {
      const parts = entity[3]!
        .split(';')
        .map((part) => part.split(' ').map(Number) as [number, number])
        .map(([from, to]) => ({ start: from, end: to }));
      const start = Math.min(...parts.map((part) => part.start));
      const end = Math.max(...parts.map((part) => part.end));
      if (parts.some((part) => part.end < part.start)) {
        faults.push(`line ${index + 1}: an entity ends before it starts`);
        continue;
      }
      const sorted = parts.length === 1 ? null : parts.sort((a, b) => a.start - b.start || a.end - b.end);
      const [, id, type] = entity as unknown as [string, string, string];
      entities.set(id, { id, type, start, end, parts: sorted, surface: entity[4] ?? null });
    } else if (relation !== null) {
      relationLines.push({ match: relation, line: index + 1 });
    } else if (!otherLine.test(line)) {
      faults.push(`line ${index + 1}: "${shortened(line)}" is no annotation`);
      continue;
    }
    known++;
  }
  if (entities.size === 0 || known < filled / 2) return null;
  const relations: BratRelation[] = [];
  for (const { match, line } of relationLines) {
    const head = entities.get(match[3]!);
    const tail = entities.get(match[4]!);
    if (head === undefined || tail === undefined) {
      faults.push(`line ${line}: there is no entity ${head === undefined ? match[3] : match[4]}`);
      continue;
    }
    relations.push({
      id: match[1]!,
      label: match[2]!,
      head,
      tail,
      start: Math.min(head.start, tail.start),
      end: Math.max(head.end, tail.end),
    });
  }
  relations.sort((a, b) => a.start - b.start || a.end - b.end);
  return { entityCount: entities.size, relations, faults };
}
