/**
 * Copies cXML's DTDs from a folder to the store's DTD folder and reports whether they are known versions: `npm run
 * cxml-dtds -- <folder>`. They are published at https://xml.cxml.org/current/cXML_DTDs.zip (docs/cxml.md).
 */
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isKnownDtd, knownDtds, loadDtds, type DtdFile } from '#adapters/purchasing/dtd-validator.ts'

const [, , folder] = process.argv
if (folder === undefined) {
  console.error('Name the folder with cXML.dtd, Fulfill.dtd and InvoiceDetail.dtd: npm run cxml-dtds -- <folder>')
  process.exit(2)
}
if ((await loadDtds(folder)) === null) {
  console.error(`${folder} does not have cXML.dtd, Fulfill.dtd and InvoiceDetail.dtd.`)
  process.exit(1)
}
const { CXML_DTD_DIR, DATA_DIR = '.data' } = process.env
const dtdDir = CXML_DTD_DIR ?? join(DATA_DIR, 'cxml-dtd')
await mkdir(dtdDir, { recursive: true })
for (const file of Object.keys(knownDtds) as DtdFile[]) {
  const [from, to] = [join(folder, `${file}.dtd`), join(dtdDir, `${file}.dtd`)]
  if (!isKnownDtd(file, await readFile(from)))
    console.warn(`${file}.dtd is not that of 1.2.071. It is used all the same.`)
  await copyFile(from, to)
}
console.log(`Received documents are checked against the DTDs in ${dtdDir}.`)
