/**
 * A link to another page, in the size of text beside it.
 */
import { Anchor, type AnchorProps } from "@mantine/core"
import { Link, type LinkProps } from "react-router"

export const SmallLink = (props: AnchorProps & Omit<LinkProps, keyof AnchorProps>) => (
  <Anchor component={Link} size="sm" {...props} />
)
