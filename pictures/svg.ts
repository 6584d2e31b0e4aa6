/** SVG numbers, compact paths, and safe text. Lengths are millimeters of the tire, y down. */

export type Point = readonly [x: number, y: number]

/** `value` with at most one decimal, in the fewest characters: 0.5 is ".5", 3 is "3", -0.01 is "0". */
export function short(value: number): string {
  const text = String(Math.round(value * 10) / 10 || 0)
  if (text.startsWith('0.')) return text.slice(1)
  return text.startsWith('-0.') ? `-${text.slice(2)}` : text
}

/**
 * Returns straight-sided closed shapes as one path. Path coordinates are whole grains (`grain` mm each), because whole
 * numbers are short. The caller scales the path by its grain.
 */
export function closedPath(shapes: Iterable<readonly Point[]>, grain: number): string {
  const pen = createPen(grain)
  for (const shape of shapes) {
    shape.forEach(([x, y], i) => (i === 0 ? pen.move(x, y) : pen.line(x, y)))
    pen.close()
  }
  return pen.text()
}

/** Open lines as one path text, in whole grains. */
export function openPath(lines: Iterable<readonly Point[]>, grain: number): string {
  const pen = createPen(grain)
  for (const line of lines) line.forEach(([x, y], i) => (i === 0 ? pen.move(x, y) : pen.line(x, y)))
  return pen.text()
}

/**
 * Writes one path in relative steps of whole grains, the shortest form. Each step is taken between points that are
 * already rounded, so rounding never adds up. Steps too short to see are left out.
 */
export function createPen(grain: number) {
  let text = ''
  let command = ''
  let [x, y, startX, startY] = [0, 0, 0, 0]
  const round = (value: number) => Math.round(value / grain)
  const write = (letter: string, steps: readonly number[]) => {
    // A move may be followed by bare pairs, which then are lines.
    const isImplied = letter === command || (letter === 'l' && command === 'm')
    steps.forEach((step, i) => {
      const lead = i === 0 && !isImplied ? letter : step < 0 ? '' : ' '
      text += `${lead}${step}`
    })
    command = letter
  }
  return {
    move(toX: number, toY: number) {
      ;[startX, startY] = [round(toX), round(toY)]
      command = ''
      write('m', [startX - x, startY - y])
      ;[x, y] = [startX, startY]
    },
    line(toX: number, toY: number) {
      const [lineX, lineY] = [round(toX), round(toY)]
      if (lineX === x && lineY === y) return
      write('l', [lineX - x, lineY - y])
      ;[x, y] = [lineX, lineY]
    },
    curve(viaX: number, viaY: number, toX: number, toY: number) {
      const [endX, endY] = [round(toX), round(toY)]
      if (endX === x && endY === y) return
      write('q', [round(viaX) - x, round(viaY) - y, endX - x, endY - y])
      ;[x, y] = [endX, endY]
    },
    close() {
      text += 'z'
      command = 'z'
      ;[x, y] = [startX, startY]
    },
    text: () => text,
  }
}

/**
 * Free text made safe as an attribute value; what XML cannot hold at all (control characters, lone surrogates) is
 * dropped.
 */
export function attribute(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (sign) => entities[sign]!)
}

export type Rgb = readonly [red: number, green: number, blue: number]

/** The color `share` (0 to 1) of the way from `from` to `to`, as "#rrggbb". */
export function mix(from: Rgb, to: Rgb, share: number): string {
  const at = Math.max(0, Math.min(1, share))
  return `#${from
    .map((value, i) =>
      Math.round(value + (to[i]! - value) * at)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
