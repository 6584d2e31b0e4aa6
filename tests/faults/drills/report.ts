import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Prints a drill's figures and saves them in the demo's data folder. */
export async function report(name: string, figures: Readonly<Record<string, string | number>>): Promise<void> {
  const width = Math.max(...Object.keys(figures).map((figure) => figure.length))
  const lines = Object.entries(figures).map(([figure, value]) => `  ${figure.padEnd(width)}  ${value}`)
  process.stdout.write(`\nDrill ${name}\n${lines.join('\n')}\n`)
  const folder = join(process.env['DRILL_REPORTS'] ?? '.data/drills')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
}
