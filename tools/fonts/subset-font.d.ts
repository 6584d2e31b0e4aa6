/** The part of subset-font that `make-fonts.ts` uses; the package has no types. */
declare module 'subset-font' {
  type Axis = { min: number; max: number; default: number }
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2'
      variationAxes: Partial<Record<'wght' | 'wdth', Axis>>
      keepFeatures: string[]
      noHinting: boolean
    },
  ): Promise<Buffer>
}
