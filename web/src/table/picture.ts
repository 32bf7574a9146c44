// A drawing of the page as a file that can be sent to friends.

/** So many pixels for each unit of the drawing. */
const scale = 2;

/** The drawing as a PNG. */
export async function png(drawing: SVGSVGElement): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal;
  const image = new Image(width * scale, height * scale);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(alone(drawing))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d')!.drawImage(image, 0, 0, image.width, image.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('the picture is empty'))), 'image/png'),
  );
}

/** The drawing as a text that needs nothing else of the page: the figures and the styles it leans on go along. */
function alone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('width', String(width * scale));
  copy.setAttribute('height', String(height * scale));
  const style = document.createElementNS(copy.namespaceURI, 'style');
  style.textContent = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule)
    .map((rule) => rule.cssText)
    .join('\n');
  const figures = [...document.querySelectorAll('symbol, svg > defs')].map((figure) => figure.cloneNode(true));
  copy.prepend(style, ...figures);
  return new XMLSerializer().serializeToString(copy);
}

/** A sentence on one line or on two, broken where the halves are most alike. */
export function halves(sentence: string, most: number): string[] {
  const words = sentence.split(' ');
  if (sentence.length <= most || words.length < 2) return [sentence];
  const ways = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')]);
  const longest = (way: string[]) => Math.max(...way.map((line) => line.length));
  return ways.sort((a, b) => longest(a) - longest(b))[0]!;
}

/** A name that has room for so many letters. */
export const short = (name: string, most: number) =>
  name.length > most ? `${name.slice(0, most - 1).trimEnd()}…` : name;
