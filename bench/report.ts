import type { Compared } from './rounds.ts'
import type { Sample } from './load.ts'

/** One line of the report. `figure` and `limit` are text; the goal applies to `ratio`. */
export type Row = {
  what: string
  figure: string
  /** The limit and its figure. */
  limit: string
  ratio: number | null
  goal: string | null
  isMet: boolean | null
  /** If the figure is a rate. */
  sample?: Sample
  rounds?: number[]
}

/**
 * Returns a comparison row. The goal is met if the share of the limit is reached and the 99th percentile and statements
 * are within bounds.
 */
export function rateRow({ what, limitName, sample, limit, ratio, ratios, goal, p99Under, statements }: Compared): Row {
  const goals = [
    ...(goal === undefined ? [] : [{ text: `≥ ${goal}`, isMet: ratio >= goal }]),
    ...(p99Under === undefined ? [] : [{ text: `p99 < ${p99Under} ms`, isMet: sample.p99 < p99Under }]),
    ...(statements === undefined
      ? []
      : [
          {
            text: `${statements} statement${statements === 1 ? '' : 's'}`,
            isMet: Math.abs(sample.statements - statements) < 0.05,
          },
        ]),
  ]
  return {
    what,
    figure: `${rate(sample.perSecond)}/s`,
    limit: `${limitName}: ${rate(limit.perSecond)}/s`,
    ratio,
    goal: goals.length === 0 ? null : goals.map(({ text }) => text).join(', '),
    isMet: goals.length === 0 ? null : goals.every(({ isMet }) => isMet),
    sample,
    rounds: ratios,
  }
}

/**
 * Returns a row for a figure with a fixed maximum, next to the machine's own limit if it was measured in the same run.
 * `text` formats an amount with its unit.
 */
export function amountRow(
  what: string,
  amount: number,
  most: number,
  text: (amount: number) => string,
  limit?: { name: string; amount: number },
): Row {
  return {
    what,
    figure: text(amount),
    limit: limit ? `${limit.name}: ${text(limit.amount)}` : `at most ${text(most)}`,
    ratio: limit ? amount / limit.amount : most === 0 ? null : amount / most,
    goal: `≤ ${text(most)}`,
    isMet: amount <= most,
  }
}

/** Returns two Markdown tables, one with the figures next to their limits and one with the cost per response. */
export function printReport(rows: readonly Row[], machine: string): string {
  const figures = rows.map(({ what, figure, limit, ratio, goal, isMet }) => [
    what,
    figure,
    limit,
    ratio === null ? '' : ratio.toFixed(2),
    goal ?? '',
    isMet === null ? '' : isMet ? 'yes' : 'NO',
  ])
  const costs = rows.flatMap(({ what, sample }) =>
    sample
      ? [
          [
            what,
            sample.p50.toFixed(2),
            sample.p99.toFixed(2),
            sample.statements.toFixed(1),
            sample.cpu.toFixed(3),
            sample.databaseCpu?.toFixed(3) ?? '',
            `${Math.round(sample.clientShare * 100)} %`,
          ],
        ]
      : [],
  )
  return [
    machine,
    '',
    ...table(['what', 'figure', 'limit beside it', 'ratio', 'goal', 'met'], figures),
    '',
    ...table(['what', 'p50 ms', 'p99 ms', 'statements', 'process CPU ms', 'database CPU ms', 'load client'], costs),
  ].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)]
}

function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en-US')
}
