/** The part of sax that the import uses; the package has no types. */
declare module 'sax' {
  export type Tag = { name: string; attributes: Readonly<Record<string, string>> }
  export type SAXParser = {
    /** The line being read, from 0. */
    line: number
    onerror: (error: Error) => void
    ontext: (text: string) => void
    oncdata: (text: string) => void
    ondoctype: (text: string) => void
    onopentagstart: (tag: Tag) => void
    onattribute: (attribute: { name: string; value: string }) => void
    onopentag: (tag: Tag) => void
    onclosetag: (name: string) => void
    write(text: string): SAXParser
    close(): SAXParser
  }
  const sax: {
    parser(strict: boolean, options?: { strictEntities?: boolean }): SAXParser
  }
  export default sax
}
