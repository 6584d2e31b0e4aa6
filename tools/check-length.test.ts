import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { checkLength } from './check-length.ts'

test('a source file of more than 400 lines is named, unless it says why it is one', async () => {
  const lines = (count: number) => 'export {}\n'.repeat(count)
  await using folder = await createTemporaryFolder({
    'domain/booking/long.ts': lines(401),
    'domain/booking/just-right.ts': lines(400),
    'domain/booking/table.ts': `// over 400 lines: one table, read from top to bottom\n${lines(500)}`,
    'domain/booking/silent.ts': `// over 400 lines:\n${lines(500)}`,
    'db/types.ts': lines(900),
    'db/data/places.csv': 'x\n'.repeat(900),
    'node_modules/pg/index.ts': lines(900),
  })

  expect((await checkLength(folder.path)).map((complaint) => complaint.split('.')[0])).toEqual(['domain/booking/long', 'domain/booking/silent'])
})
