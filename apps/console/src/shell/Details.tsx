/**
 * Names and values of the fields of a resource.
 */
import type { ReactNode } from "react"
import classes from "./Details.module.css"

export const Details = ({ children }: { readonly children: ReactNode }) => (
  <dl className={classes.details}>{children}</dl>
)

export const Detail = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
