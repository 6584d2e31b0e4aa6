import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { checkDocs } from './check-docs.ts'

const project = {
  'package.json': '{ "scripts": { "start": "node server.ts", "check": "node check.ts" } }',
  'server.ts': '',
  'domain/scheduling/booking/booking.ts': '',
  'docs/decisions/001-one-package.md': '# One package\n\n## What it costs\n',
}

const mistakes: [text: string, complaint: string][] = [
  ['See [the list](docs/decisions/002-two.md).', 'the link docs/decisions/002-two.md'],
  [
    'See [the cost](docs/decisions/001-one-package.md#what-it-earns).',
    'the link docs/decisions/001-one-package.md#what-it-earns',
  ],
  ['See [below](#nowhere).', 'the link #nowhere'],
  ['![The page](docs/page.png)', 'the link docs/page.png'],
  ['Hours are in `domain/scheduling/booking/hours.ts`.', 'the path domain/scheduling/booking/hours.ts'],
  ['Hours are in `#domain/scheduling/booking/hours.ts`.', 'the path domain/scheduling/booking/hours.ts'],
  ['Start with `worker.ts`.', 'the path worker.ts'],
  ['Migrations are `domain/*.sql`.', 'the path domain/*.sql'],
  ['Run `npm run lint` first.', 'the command "npm run lint"'],
  ['```sh\nnode domain/start.ts\n```', 'the path domain/start.ts'],
]

test.each(mistakes)('%j is found', async (text, complaint) => {
  await using folder = await createTemporaryFolder({ ...project, 'README.md': text })

  expect(await checkDocs(folder.path)).toEqual([`README.md names ${complaint}, which does not exist.`])
})

test('existing paths, external links, and text that only looks like a path are accepted', async () => {
  const text = `# Sidewall {#top}

[Why](docs/decisions/001-one-package.md#what-it-costs), [how it starts](server.ts), [this page](#reading), <https://example.com>,
[the web](https://example.com/docs/missing.md), [mail](mailto:help@example.com).

## Reading

\`domain/scheduling/booking/booking.ts\`, \`./server.ts\`, \`domain/\`, \`domain/*/*/booking.ts\`, \`booking.ts\`, \`application/json\`, \`and/or\`, \`x.ts\`, \`GET /tires/225-65r17\`.
\`npm run check\` and \`npm start\`. \`[not a link](nowhere)\`

\`\`\`ts
const link = '[text](nowhere)'
\`\`\`
`
  await using folder = await createTemporaryFolder({ ...project, 'README.md': text })

  expect(await checkDocs(folder.path)).toEqual([])
})

test('a document can refer to neighboring files', async () => {
  await using folder = await createTemporaryFolder({
    ...project,
    'domain/scheduling/booking/README.md': 'See [the door](booking.ts) and `booking.ts`; not [this](server.ts).',
  })

  expect(await checkDocs(folder.path)).toEqual([
    'domain/scheduling/booking/README.md names the link server.ts, which does not exist.',
  ])
})

test.each([
  ['Placing is `placeOrder`, of `PlaceOrderInput`.', ['the name PlaceOrderInput']],
  ['Held by `bay_taken_once` and `stock_never_negative`.', ['the name stock_never_negative']],
  ['```mermaid\nsequenceDiagram\n  A->>B: takeStock, placeOrder\n```', ['the name takeStock']],
  ['A state is `in-transit`, a price `seen`, an order `S-104001`.', []],
])('an outdated code name is found in documents that explain code: %j', async (text, complaints) => {
  const code = {
    'domain/ordering/orders/orders.ts': 'export function placeOrder() {}',
    'db/one.sql': 'constraint bay_taken_once',
  }
  await using folder = await createTemporaryFolder({
    ...project,
    ...code,
    'domain/ordering/orders/README.md': text,
    'docs/decisions/002.md': text,
  })

  expect(await checkDocs(folder.path)).toEqual(
    complaints.map((complaint) => `domain/ordering/orders/README.md names ${complaint}, which does not exist.`),
  )
})
