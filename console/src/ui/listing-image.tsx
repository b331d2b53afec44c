import { Center, Image } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'

interface ListingImageProps {
  link: string | undefined
  size: number
}

/** An image of this service. The page may not load those of other hosts, so they have a placeholder. */
export function ListingImage({ link, size }: ListingImageProps) {
  if (link && URL.parse(link)?.origin === location.origin) {
    return <Image src={link} alt="" w={size} h={size} fit="contain" radius="sm" />
  }
  return (
    <Center w={size} h={size} bg="var(--mantine-color-default-hover)" style={{ borderRadius: 4 }}>
      <IconPhoto size={size / 2} stroke={1.5} aria-hidden color="var(--mantine-color-dimmed)" />
    </Center>
  )
}
