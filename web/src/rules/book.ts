// A rulebook of the house, as docs/rules holds it: a title, chapters `## 1. Title {source}`, paragraphs
// `### 1.1 {source} {codes}`. Below a heading stand lines of text, lists and figures; docs/rules/rules_test.go keeps it so.

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'figure'; file: string; caption: string };
export interface Paragraph {
  number: string;
  source: string;
  codes: string[];
  blocks: Block[];
}
export interface Chapter {
  number: string;
  title: string;
  source: string;
  paragraphs: Paragraph[];
}
export interface Book {
  name: string;
  title: string;
  chapters: Chapter[];
}

const headOfChapter = /^## (\d+)\. (.+?) \{(.+)\}$/;
const headOfParagraph = /^### (\d+\.\d+) \{([^{}]+)\}(?: \{([A-Z0-9 ]+)\})?$/;
const figure = /^!\[([^\]]+)\]\(figures\/([^)]+)\)$/;

export function readBook(name: string, page: string): Book {
  const [title = '', ...lines] = page.split('\n');
  const book: Book = { name, title: title.replace('# ', ''), chapters: [] };
  for (const line of lines) readLine(book, line.trim());
  return book;
}

function readLine({ chapters }: Book, line: string) {
  const chapter = headOfChapter.exec(line);
  if (chapter) return chapters.push({ number: chapter[1]!, title: chapter[2]!, source: chapter[3]!, paragraphs: [] });
  const head = headOfParagraph.exec(line);
  if (head)
    return chapters
      .at(-1)!
      .paragraphs.push({ number: head[1]!, source: head[2]!, codes: head[3]?.split(' ') ?? [], blocks: [] });
  if (line) readText(chapters.at(-1)!.paragraphs.at(-1)!.blocks, line);
}

/** A line is a figure, an item, or goes on with what the line before it said. */
function readText(blocks: Block[], line: string) {
  const drawn = figure.exec(line);
  const last = blocks.at(-1);
  if (drawn) blocks.push({ kind: 'figure', file: drawn[2]!, caption: drawn[1]! });
  else if (line.startsWith('- ') && last?.kind === 'list') last.items.push(line.slice(2));
  else if (line.startsWith('- ')) blocks.push({ kind: 'list', items: [line.slice(2)] });
  else if (last?.kind === 'list') last.items.push(`${last.items.pop()} ${line}`);
  else if (last?.kind === 'text') last.text += ` ${line}`;
  else blocks.push({ kind: 'text', text: line });
}

export const paragraphs = (book: Book): Paragraph[] => book.chapters.flatMap((chapter) => chapter.paragraphs);

/** What a paragraph says, figures' captions included: all in which something can be found. */
export const said = ({ blocks }: Paragraph): string[] =>
  blocks.flatMap((block) => (block.kind === 'text' ? block.text : block.kind === 'list' ? block.items : block.caption));

export interface Opened {
  book: Book;
  numbers: string[];
}

/**
 * Where a citation opens the books: at every paragraph that has this source or carries this ruling, in the table's own
 * book, else in the first of the shelf that has one.
 */
export function cited(shelf: Book[], rule: string): Opened | null {
  for (const book of shelf) {
    const numbers = paragraphs(book)
      .filter((p) => p.source === rule || p.codes.includes(rule))
      .map((p) => p.number);
    if (numbers.length) return { book, numbers };
  }
  return null;
}

/** The shelf with the table's own book in front. */
export const sorted = (shelf: Book[], own: string): Book[] => [
  ...shelf.filter((b) => b.name === own),
  ...shelf.filter((b) => b.name !== own),
];

/** The rulings of docs/rulings.md by their codes. Each begins a sentence, with its code. */
export function readRulings(page: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const block of page.split('\n\n')) {
    const text = block.replaceAll('\n', ' ');
    const starts = [...text.matchAll(/(?:^|[.)—] )([SWOKTGPDXCBNQ][1-9]\d?) /g)];
    for (const [
      i,
      {
        0: { length },
        1: code,
        index,
      },
    ] of starts.entries())
      found.set(
        code!,
        text.slice(index + length, starts[i + 1] ? starts[i + 1]!.index + 1 : undefined).replace(/[—\s]+$/, ''),
      );
  }
  return found;
}
