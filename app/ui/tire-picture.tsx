import { paths } from '#content/paths.ts'

export type PictureRef = { itemId: number; key: string }

/**
 * The drawn tire as a small cached image; square, so that the layout does not shift while it loads. AVIF at double
 * density is as large as WebP at single.
 */
export function TirePicture({
  picture,
  alt,
  size,
  eager = false,
}: {
  picture: PictureRef
  alt: string
  size: 64 | 112 | 168 | 240
  eager?: boolean
}) {
  const [sharp, plain] = size <= 64 ? ([192, 96] as const) : size <= 168 ? ([320, 192] as const) : ([480, 320] as const)
  return (
    <picture>
      <source type="image/avif" srcSet={paths.picture(picture.itemId, picture.key, sharp, 'avif')} />
      <img
        className="tire-picture"
        src={paths.picture(picture.itemId, picture.key, plain, 'webp')}
        alt={alt}
        width={size}
        height={size}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        {...(eager ? { fetchPriority: 'high' as const } : {})}
      />
    </picture>
  )
}
