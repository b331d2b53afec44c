import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type WithoutColor<Props> = Omit<Props, 'color'>

/** A link to another page of the console, with checked parameters. */
export const AnchorLink = createLink((props: AnchorProps & WithoutColor<ComponentPropsWithRef<'a'>>) => (
  <Anchor {...props} />
))

/** The same that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & WithoutColor<ComponentPropsWithRef<'a'>>) => (
  <Button component="a" {...props} />
))
