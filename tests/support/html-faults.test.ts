import { expect, test } from 'vitest'
import { htmlFaults } from './html-faults.ts'

const page = (body: string) =>
  `<!DOCTYPE html><html lang="en"><head><title>A page</title></head><body><main>${body}</main></body></html>`

test('a valid page has no faults', async () => {
  expect(await htmlFaults(page('<p id="one">A</p><script type="module" async src="/a.js"></script>'))).toEqual([])
})

test.for([
  ['<p id="one">A</p><p id="one">B</p>', 'no-dup-id'],
  ['<label>File <input type="file" value=""></label>', 'input-attributes'],
  ['<script type="text/late" async="">import "/a.js"</script>', 'inert-script'],
  ['<span><div>A</div></span>', 'element-permitted-content'],
  ['<label for="other">A</label><p id="other">B</p>', 'valid-for'],
] as const)('%s breaks %s', async ([body, rule]) => {
  expect((await htmlFaults(page(body))).join('\n')).toContain(rule)
})
