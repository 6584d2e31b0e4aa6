/**
 * The pattern of `lower(column) like …` for values that begin with `text`, in any case. Its wildcards mean themselves,
 * so that an index on `lower(column) text_pattern_ops` serves it.
 */
export function startPattern(text: string): string {
  return `${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
