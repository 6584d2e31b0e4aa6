import { relative } from 'node:path'

export type Totals = { passed: number; failed: number; skipped: number }

type Assertion = { status: string; fullName?: string; failureMessages?: string[] | null }
type FileReport = {
  name?: string
  status: string
  message?: string
  /** Milliseconds since 1970. */
  startTime?: number
  endTime?: number
  assertionResults: Assertion[]
}
type Report = { testResults: FileReport[] }

/**
 * Reads the totals from a Vitest JSON report. Failures outside tests count as one failed test. They are a file that
 * fails to load, an error outside any test (visible only in the exit code), and a missing report.
 */
export function readReport(text: string | undefined, exitCode: number | null): Totals {
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const { testResults } = JSON.parse(text) as Report
  const statuses = testResults.flatMap((file) => file.assertionResults.map((assertion) => assertion.status))
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const passed = statuses.filter((status) => status === 'passed').length
  const failed = statuses.filter((status) => status === 'failed').length + brokenFiles.length
  return {
    passed,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: statuses.length - passed - (failed - brokenFiles.length),
  }
}

/** Returns the paths of failed files in a Vitest JSON report. Empty without a report. */
export function failedFiles(text: string | undefined): string[] {
  if (text === undefined) return []
  return (JSON.parse(text) as Report).testResults.flatMap(({ name, status, assertionResults }) =>
    name && (status === 'failed' || assertionResults.some((assertion) => assertion.status === 'failed')) ? [name] : [],
  )
}

/** The report `first`, with the files that ran again as `second` has them. */
export function replaceFiles(first: string, second: string): string {
  const again = (JSON.parse(second) as Report).testResults
  const names = new Set(again.map(({ name }) => name))
  const kept = (JSON.parse(first) as Report).testResults.filter(({ name }) => !names.has(name))
  return JSON.stringify({ testResults: [...kept, ...again] } satisfies Report)
}

/**
 * Returns the failures of a Vitest JSON report in two or three lines each: file and test, the first line of the message,
 * and the line of the test. Printed at the end of a long log, because some hosts retain only that.
 * @param folder the base of the files' paths
 */
export function listFailures(text: string | undefined, folder: string): string[] {
  if (text === undefined) return ['no report was written']
  return (JSON.parse(text) as Report).testResults.flatMap(({ name = '', status, message = '', assertionResults }) => {
    const file = relative(folder, name)
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [`${file}\n      ${firstLine(message)}`] : []
    return failed.map(({ fullName = '', failureMessages }) => {
      const failure = failureMessages?.[0] ?? ''
      const [line] = new RegExp(`${RegExp.escape(file)}:\\d+`).exec(failure) ?? []
      return [`${file} › ${fullName}`, firstLine(failure), ...(line ? [`at ${line}`] : [])].join('\n      ')
    })
  })
}

/**
 * The files of Vitest JSON reports that took longest, longest first, with their seconds: where the time of a run goes.
 * @param folder the base of the files' paths
 */
export function slowestFiles(
  texts: readonly (string | undefined)[],
  folder: string,
  most: number,
): { file: string; seconds: number }[] {
  return texts
    .flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as Report).testResults))
    .map(({ name = '', startTime = 0, endTime = startTime }) => ({
      file: relative(folder, name),
      seconds: Math.round((endTime - startTime) / 1000),
    }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, most)
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300)
}

export function addUp(all: Totals[]): Totals {
  const sum = (pick: (totals: Totals) => number) => all.reduce((total, totals) => total + pick(totals), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  }
}
