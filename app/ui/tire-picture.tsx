import { paths } from '#app/paths.ts'

export type PictureRef = { itemId: number; key: string }

/** The drawn tire as a small cached image; square, so the layout never moves while it comes. */
export function TirePicture({ picture, alt, size, eager = false }: { picture: PictureRef; alt: string; size: 64 | 112 | 168 | 240; eager?: boolean }) {
  const width = size <= 64 ? 96 : size <= 112 ? 192 : 320
  return <img className="tire-picture" src={paths.picture(picture.itemId, picture.key, width)} alt={alt} width={size} height={size} loading={eager ? 'eager' : 'lazy'} decoding="async" {...(eager ? { fetchPriority: 'high' as const } : {})} />
}
