declare module 'pdfmake/js/index.js' {
  type Node = string | { [key: string]: unknown } | Node[]
  const pdfmake: {
    setFonts(fonts: Record<string, { normal: string; bold: string; italics: string; bolditalics: string }>): void
    setLocalAccessPolicy(allow: (path: string) => boolean): void
    setUrlAccessPolicy(allow: (url: string) => boolean): void
    createPdf(definition: { [key: string]: unknown; content: Node[] }): { getBuffer(): Promise<Uint8Array> }
  }
  export default pdfmake
}
