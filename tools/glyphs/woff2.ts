import { brotliDecompressSync } from 'node:zlib'

/**
 * Unpacks a WOFF2 font into a plain TrueType file for a font reader without WOFF2 support. Used only by
 * `make-glyphs.ts`. Throws for collections and a transformed `hmtx`, which are unsupported. Source: W3C Recommendation
 * "WOFF File Format 2.0", sections 4 and 5.
 */
export function unpackWoff2(file: Uint8Array): Uint8Array {
  const header = reader(file)
  if (header.u32() !== 0x774f4632) throw new Error('Not a WOFF2 file')
  const flavor = header.u32()
  if (flavor === 0x74746366) throw new Error('Font collections are not read')
  header.skip(4)
  const tableCount = header.u16()
  header.skip(6)
  const packedSize = header.u32()
  header.skip(24)

  const directory = Array.from({ length: tableCount }, () => tableEntry(header))
  const stream = brotliDecompressSync(file.subarray(header.position(), header.position() + packedSize))
  const tables = new Map<string, Uint8Array>()
  let offset = 0
  for (const { tag, size, isTransformed } of directory) {
    if (isTransformed && tag !== 'glyf' && tag !== 'loca') throw new Error(`A transformed ${tag} table is not read`)
    tables.set(tag, stream.subarray(offset, offset + size))
    offset += size
  }
  if (directory.some((entry) => entry.tag === 'glyf' && entry.isTransformed)) {
    const { glyf, loca } = rebuildOutlines(tables.get('glyf')!)
    tables.set('glyf', glyf)
    tables.set('loca', loca)
    // The rebuilt loca always has long offsets, as set in indexToLocFormat (byte 51 of head).
    const head = Uint8Array.from(tables.get('head')!)
    head.set([0, 1], 50)
    tables.set('head', head)
  }
  return writeTrueType(flavor, tables)
}

const KNOWN_TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .split(' ')
    .map((tag) => tag.replace('_', ' '))

function tableEntry(from: Reader): { tag: string; size: number; isTransformed: boolean } {
  const flags = from.u8()
  const tag = KNOWN_TAGS[flags & 0x3f] ?? String.fromCharCode(from.u8(), from.u8(), from.u8(), from.u8())
  const version = flags >> 6
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
  const plainSize = from.base128()
  return { tag, size: isTransformed ? from.base128() : plainSize, isTransformed }
}

/** Section 5.1: turns the seven streams of the transformed `glyf` table back into glyph records and their offsets. */
function rebuildOutlines(table: Uint8Array): { glyf: Uint8Array; loca: Uint8Array } {
  const head = reader(table)
  head.skip(4)
  const glyphCount = head.u16()
  head.skip(2)
  const sizes = Array.from({ length: 7 }, () => head.u32())
  let at = head.position()
  const [contours, points, flags, glyphs, composites, boxes, instructions] = sizes.map((size) =>
    reader(table.subarray(at, (at += size))),
  ) as [Reader, Reader, Reader, Reader, Reader, Reader, Reader]
  const boxBits = boxes.bytes(4 * Math.floor((glyphCount + 31) / 32))

  const records: Uint8Array[] = []
  for (let glyph = 0; glyph < glyphCount; glyph++) {
    const contourCount = contours.i16()
    const hasBox = ((boxBits[glyph >> 3]! >> (7 - (glyph & 7))) & 1) === 1
    const box = hasBox ? [boxes.i16(), boxes.i16(), boxes.i16(), boxes.i16()] : undefined
    if (contourCount === 0) records.push(new Uint8Array())
    else if (contourCount < 0) records.push(compositeRecord(box!, composites, glyphs, instructions))
    else records.push(simpleRecord(contourCount, box, points, flags, glyphs, instructions))
  }

  const out = writer()
  const loca = writer()
  for (const record of records) {
    loca.u32(out.size())
    out.bytes(record)
    out.align(4)
  }
  loca.u32(out.size())
  return { glyf: out.done(), loca: loca.done() }
}

function simpleRecord(
  contourCount: number,
  box: number[] | undefined,
  points: Reader,
  flags: Reader,
  glyphs: Reader,
  instructions: Reader,
): Uint8Array {
  let total = 0
  const ends = Array.from({ length: contourCount }, () => (total += points.u16of255()) - 1)
  const onCurve: boolean[] = []
  const dxs: number[] = []
  const dys: number[] = []
  for (let i = 0; i < total; i++) {
    const flag = flags.u8()
    const [dx, dy] = triplet(flag & 0x7f, glyphs)
    onCurve.push((flag & 0x80) === 0)
    dxs.push(dx)
    dys.push(dy)
  }
  const program = instructions.bytes(glyphs.u16of255())

  const out = writer()
  out.i16(contourCount)
  for (const side of box ?? boundingBox(dxs, dys)) out.i16(side)
  for (const end of ends) out.u16(end)
  out.u16(program.length)
  out.bytes(program)
  for (const on of onCurve) out.u8(on ? 1 : 0)
  for (const dx of dxs) out.i16(dx)
  for (const dy of dys) out.i16(dy)
  return out.done()
}

function compositeRecord(box: number[], composites: Reader, glyphs: Reader, instructions: Reader): Uint8Array {
  const [WORDS, SCALE, MORE, XY_SCALE, TWO_BY_TWO, INSTRUCTIONS] = [0x1, 0x8, 0x20, 0x40, 0x80, 0x100] as const
  const out = writer()
  out.i16(-1)
  for (const side of box) out.i16(side)
  let flags: number
  let hasInstructions = false
  do {
    flags = composites.u16()
    hasInstructions ||= (flags & INSTRUCTIONS) !== 0
    const scale = flags & SCALE ? 2 : flags & XY_SCALE ? 4 : flags & TWO_BY_TWO ? 8 : 0
    out.u16(flags)
    out.bytes(composites.bytes(2 + (flags & WORDS ? 4 : 2) + scale))
  } while (flags & MORE)
  if (hasInstructions) {
    const program = instructions.bytes(glyphs.u16of255())
    out.u16(program.length)
    out.bytes(program)
  }
  return out.done()
}

/** Section 5.2: a point's delta in 1 to 4 bytes, depending on its size. */
function triplet(flag: number, from: Reader): [dx: number, dy: number] {
  const signed = (bit: number, value: number) => ((flag >> bit) & 1 ? value : -value)
  const a = from.u8()
  if (flag < 10) return [0, signed(0, ((flag & 14) << 7) + a)]
  if (flag < 20) return [signed(0, (((flag - 10) & 14) << 7) + a), 0]
  if (flag < 84) {
    const k = flag - 20
    return [signed(0, 1 + (k & 0x30) + (a >> 4)), signed(1, 1 + ((k & 0x0c) << 2) + (a & 0x0f))]
  }
  const b = from.u8()
  if (flag < 120) {
    const k = flag - 84
    return [signed(0, 1 + (Math.floor(k / 12) << 8) + a), signed(1, 1 + (((k % 12) >> 2) << 8) + b)]
  }
  const c = from.u8()
  if (flag < 124) return [signed(0, (a << 4) + (b >> 4)), signed(1, ((b & 0x0f) << 8) + c)]
  return [signed(0, (a << 8) + b), signed(1, (c << 8) + from.u8())]
}

function boundingBox(dxs: number[], dys: number[]): number[] {
  const sums = (steps: number[]) => {
    let at = 0
    return steps.map((step) => (at += step))
  }
  const [xs, ys] = [sums(dxs), sums(dys)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Leaves checksums at zero because the only reader ignores them. */
function writeTrueType(flavor: number, tables: Map<string, Uint8Array>): Uint8Array {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
  const out = writer()
  out.u32(flavor)
  out.u16(sorted.length)
  for (let i = 0; i < 3; i++) out.u16(0)
  let offset = 12 + 16 * sorted.length
  for (const [tag, table] of sorted) {
    out.bytes(Uint8Array.from(tag, (letter) => letter.charCodeAt(0)))
    out.u32(0)
    out.u32(offset)
    out.u32(table.length)
    offset += Math.ceil(table.length / 4) * 4
  }
  for (const [, table] of sorted) {
    out.bytes(table)
    out.align(4)
  }
  return out.done()
}

type Reader = ReturnType<typeof reader>

function reader(from: Uint8Array) {
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength)
  let at = 0
  const u8 = () => view.getUint8(at++)
  const u16 = () => view.getUint16((at += 2) - 2)
  return {
    u8,
    u16,
    i16: () => view.getInt16((at += 2) - 2),
    u32: () => view.getUint32((at += 4) - 4),
    bytes: (count: number) => from.subarray(at, (at += count)),
    skip: (count: number) => void (at += count),
    position: () => at,
    base128() {
      let value = 0
      let byte: number
      do value = value * 128 + ((byte = u8()) & 0x7f)
      while (byte & 0x80)
      return value
    },
    u16of255() {
      const code = u8()
      if (code === 253) return u16()
      if (code === 255) return u8() + 253
      if (code === 254) return u8() + 506
      return code
    },
  }
}

function writer() {
  const out: number[] = []
  const u16 = (value: number) => void out.push((value >> 8) & 0xff, value & 0xff)
  return {
    u8: (value: number) => void out.push(value),
    u16,
    i16: u16,
    u32(value: number) {
      u16(value >>> 16)
      u16(value & 0xffff)
    },
    bytes(bytes: Uint8Array) {
      for (const byte of bytes) out.push(byte)
    },
    align(to: number) {
      while (out.length % to) out.push(0)
    },
    size: () => out.length,
    done: () => Uint8Array.from(out),
  }
}
