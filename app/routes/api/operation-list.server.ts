/** Lists the API's operations by area and all error codes. */
import { areas } from '#api/operation.ts'
import { operations } from '#api/operations.ts'
import { problemCodes, statusOf, titleOf } from '#api/problem.ts'

/** Operations in document order, and error codes in the order of their table. */
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
