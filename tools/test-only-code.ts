/**
 * Finds code that only tests use, which adds maintenance without benefit. It must be deleted, or listed below with its
 * future user. knip finds it by excluding tests (knip.json, entries with "!").
 */
import { packageProgram, runNode } from './package-program.ts'

/** Exports that are kept although the product does not use them yet. */
type Kept = { name: string; files: readonly string[]; waitsFor: string }

/** Written and tested ahead of the capability that will use it. Only to be shortened. */
const kept: readonly Kept[] = [
  {
    name: 'GRID_COLUMNS',
    files: ['platform/business-constants.ts'],
    waitsFor: 'pages laid out on the agreed grid; the style sheets lay out each part by itself',
  },
  {
    name: 'requirementForKnownModel',
    files: ['domain/catalog/vehicles/vehicles.ts'],
    waitsFor: 'tests of the vehicle panel, which make the requirement of a model without sizes',
  },
  { name: 'PAY_LATER_OFFER', files: ['platform/business-constants.ts'], waitsFor: 'paying later in installments' },
]

/**
 * Returns test-only code missing from the list above, and unnecessary entries. Returns an empty string if there
 * aren't any.
 */
export async function checkTestOnlyCode(): Promise<string> {
  const { output } = await runNode(packageProgram('knip', ['--production', '--reporter', 'json']))
  const findings = readFindings(output)
  return findings ? compareWithKept(findings, kept).join('\n') : output.trim() || 'knip said nothing.'
}

type Finding = { file: string; kind: string; name: string }

/** Parses knip's JSON report. Returns undefined if the output contains no report. */
export function readFindings(output: string): Finding[] | undefined {
  const report = output.split('\n').find((line) => line.startsWith('{"issues":'))
  if (report === undefined) return undefined
  const { issues } = JSON.parse(report) as { issues: ({ file: string } & Record<string, { name: string }[]>)[] }
  return issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) => found.map(({ name }) => ({ file, kind, name }))),
  )
}

/** A line for each finding that is not kept, and for each export that is kept and found no more. */
export function compareWithKept(findings: readonly Finding[], list: readonly Kept[]): string[] {
  const places = list.flatMap(({ name, files }) => files.map((file) => ({ kind: 'exports', name, file })))
  const isAmong = (all: readonly Finding[], { kind, name, file }: Finding) =>
    all.some((each) => each.kind === kind && each.name === name && each.file === file)
  return [
    ...findings.filter((finding) => !isAmong(places, finding)).map(complaintOf),
    ...places
      .filter((place) => !isAmong(findings, place))
      .map(
        ({ name, file }) => `${name} of ${file} is used or removed. Take it off the list in tools/test-only-code.ts.`,
      ),
  ]
}

function complaintOf({ file, kind, name }: Finding): string {
  if (kind === 'files') return `${file} is used only by tests. Delete it, or rename it to .testing.ts.`
  if (kind !== 'exports') return `${file} needs ${name} only for tests (${kind}).`
  return `${file} exports ${name} only for tests. Use it, delete it, or list it in tools/test-only-code.ts with a reason.`
}
