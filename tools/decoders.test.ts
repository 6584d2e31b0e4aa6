/**
 * Decompressing and decoding turn a small file into a large one. Every product file that does this is listed here, with
 * its limit if the bytes come from outside, or with their source.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

/** Packages that unpack or decode files. Add one here with the dependency. */
const packages = [
  'sharp', 'fast-xml-parser', 'libxml2-wasm', 'csv-parse', 'yaml', 'postal-mime', 'tesseract.js', 'pdfjs-dist', 'pdf-lib', 'pdf-parse', 'mupdf',
  'unzipper', 'yauzl', 'adm-zip', 'jszip', 'fflate', 'pako', 'tar', 'tar-stream', 'xml2js', 'saxes', 'sax', 'papaparse', 'exceljs', 'xlsx', 'jimp',
  'canvas', 'heic-convert', 'exifr', 'image-size', 'busboy', 'formidable', 'multer', 'mailparser', 'svgo',
] // prettier-ignore
const imported = new RegExp(
  `(?:from|import\\(|require\\() ?'(${packages.join('|').replaceAll('.', '\\.')})(?:/[\\w/-]+)?'`,
)
/** What the platform brings. */
const builtIn =
  /\b(createGunzip|createInflate(?:Raw)?|createUnzip|createBrotliDecompress|createZstdDecompress|(?:gunzip|inflate|inflateRaw|unzip|brotliDecompress|zstdDecompress)(?:Sync)?|DecompressionStream|createImageBitmap|formData)\(/

/** Bytes from outside. `cap` is a pattern in the file that limits the output, or the input before decoding. */
type Outside = { cap: RegExp }
/** Bytes that the store or its packages made, or that the person's own browser decodes for them. */
type Own = { bytesAre: string }

const decoders: Readonly<Record<string, Outside | Own>> = {
  'adapters/purchasing/dtd-validator.ts': {
    bytesAre: 'documents that parseXml has read, so without entities, at most 1 MB (cxml/precheck.ts), or our own',
  },
  'adapters/vehicles/vpic.ts': { bytesAre: 'the database of an npm package, named in package-lock.json' },
  'app/content/dictionary.server.ts': { bytesAre: 'content of the repository' },
  'app/content/faqs.server.ts': { bytesAre: 'content of the repository' },
  'app/content/library.server.ts': { bytesAre: 'content of the repository' },
  'app/forms/form.ts': { cap: /formLimits\.parts/ },
  'app/routes/camera/use-photo-reading.ts': { bytesAre: 'a photo in the browser of whoever took it' },
  'app/server/built-files.ts': { bytesAre: 'files of the build' },
  'app/server/kept-pages.ts': { bytesAre: 'pages that this process rendered and packed' },
  'app/server/mail-in.ts': { cap: /mostParts/ },
  'app/server/map-data.ts': { bytesAre: 'map data of the repository' },
  'app/server/seo.ts': { bytesAre: 'product feeds that the worker wrote and packed' },
  'app/ui/portal/job-photos.js': { bytesAre: 'a photo in the browser of whoever took it' },
  'app/ui/photo-worker.ts': { bytesAre: 'a photo in the browser of whoever took it' },
  'app/ui/text-recognizer.ts': { bytesAre: 'a photo in the browser of whoever took it' },
  'db/reference/read-data.ts': { bytesAre: 'data files of the repository' },
  'domain/catalog/catalog-import/xml-rows.server.ts': {
    cap: /text\.length > xmlLimits\.textLength[\s\S]*ondoctype\(\) \{\s+throw[\s\S]*attributes > xmlLimits\.attributes/,
  },
  'domain/catalog/catalog-import/read-rows.server.ts': {
    cap: /total > maxUnpackedBytes[\s\S]*max_record_size|max_record_size[\s\S]*total > maxUnpackedBytes/,
  },
  'domain/kernel/content/redirects.server.ts': { cap: /to: mostRows/ },
  'domain/aftercare/disputes/evidence-files.server.ts': { bytesAre: 'a picture that readAttachment encoded again' },
  'domain/catalog/fitment/fixtures/vectors.ts': { bytesAre: 'test vectors of the repository' },
  'domain/channels/fleet-quotes/vehicle-file.server.ts': { cap: /bytes\.length > mostFleetFileBytes/ },
  'domain/pricing/price-tiers/office-price-lists.server.ts': { cap: /file\.size > mostPriceListBytes/ },
  'domain/pricing/sales-tax/import-rates.server.ts': { cap: /text\.length > mostRateBytes/ },
  'domain/kernel/files/attachment.server.ts': {
    cap: /pixels > maxAttachmentPixels[\s\S]*limitInputPixels: maxAttachmentPixels/,
  },
  'domain/kernel/files/pdf-content.server.ts': { cap: /total > limit/ },
  'pictures/pictures.server.ts': { bytesAre: 'drawings that the store made' },
  'platform/disk-cache.ts': { bytesAre: 'texts that the store wrote and packed' },
  'platform/uploaded-table.server.ts': { cap: /text\.length > maxBytes/ },
  'platform/xml.ts': { cap: /text\.length > maxXmlLength/ },
  'tools/accounts.ts': { bytesAre: 'a file that an operator names on the command line' },
  'tools/glyphs/woff2.ts': { bytesAre: 'fonts of npm packages' },
}

/** Programs without outside input (simulated providers, benchmarks, and tests). */
const isOfNoStore = (path: string) =>
  /^(?:sandbox|bench|tests)\//.test(path) || /\.(?:test|testing)\.tsx?$/.test(path) || path === 'tools/decoders.test.ts'

async function findDecoders(): Promise<Map<string, string>> {
  const paths = (await listProjectFiles(project)).filter(
    (path) => /\.(?:ts|tsx|js|mjs)$/.test(path) && !isOfNoStore(path),
  )
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(project, path), 'utf8')] as const),
  )
  return new Map(texts.filter(([, text]) => imported.test(text) || builtIn.test(text)))
}

test('every decoder is listed, and those that read bytes from outside have their cap', async () => {
  const found = await findDecoders()
  expect([...found.keys()].toSorted()).toEqual(Object.keys(decoders).toSorted())
  const uncapped = [...found].filter(([path, text]) => {
    const known = decoders[path]
    return known && 'cap' in known && !known.cap.test(text)
  })
  expect(uncapped.map(([path]) => path)).toEqual([])
})

test('finds the ways to decode that the platform and packages have', () => {
  for (const text of ["import { x } from 'csv-parse/sync'", "await import('jszip')", 'promisify(x); inflateRawSync(y)'])
    expect(imported.test(text) || builtIn.test(text), text).toBe(true)
})
