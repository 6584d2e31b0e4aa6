/** What the API can do, in short: its calls by area, and every way in which one may fail. */
import { areas } from '#api/operation.ts'
import { operations } from '#api/operations.ts'
import { problemCodes, statusOf, titleOf } from '#api/problem.ts'

/** The calls in the order of the document, and the codes of problems in that of their table. */
export function operationList() {
  return {
    areas: Object.entries(areas).map(([name, says]) => ({
      name,
      says,
      calls: operations
        .filter(({ area }) => area === name)
        .map(({ id, method, path, summary }) => ({ id, summary, address: `${method.toUpperCase()} /api${path}` })),
    })),
    problems: problemCodes.map((code) => ({ code, status: statusOf(code), title: titleOf(code) })),
  }
}
