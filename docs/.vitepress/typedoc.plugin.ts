/**
 * Makes the API reference of what the sources say: modules are called by what
 * they are imported as; services have the methods of their shape, with their
 * comments; members of models are their own, not the schema's that made them.
 */
import { type Application, Converter, DeclarationReflection, type ProjectReflection, ReflectionKind } from "typedoc"

const nameModules = (project: ProjectReflection) => {
  for (const module of project.children ?? []) {
    module.name = `@solar-sites/${module.name.replace(/\/src(\/index)?/, "")}`
  }
}

/** The type literal in `Context.Service<…, { … }>`. */
const shapeOf = ({ extendedTypes = [] }: DeclarationReflection): DeclarationReflection | undefined => {
  const [base] = extendedTypes
  if (base?.type !== "reference" || base.name !== "Shape") return undefined
  const shape = base.typeArguments?.[1]
  return shape?.type === "reflection" ? shape.declaration : undefined
}

const describeClass = (project: ProjectReflection, reflection: DeclarationReflection) => {
  const constructors = (reflection.children ?? []).filter(({ inheritedFrom, kind }) => {
    return kind === ReflectionKind.Constructor && inheritedFrom !== undefined
  })
  for (const inherited of constructors) project.removeReflection(inherited)
  for (const method of shapeOf(reflection)?.children ?? []) {
    method.parent = reflection
    reflection.children = [...(reflection.children ?? []), method]
  }
  if (constructors.length > 0) delete reflection.extendedTypes
  for (const member of reflection.children ?? []) {
    if (member.inheritedFrom === undefined) continue
    delete member.inheritedFrom
    delete member.defaultValue
  }
}

export const load = (app: Application): void => {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    nameModules(project)
    for (const reflection of Object.values(project.reflections)) {
      if (reflection instanceof DeclarationReflection && reflection.kind === ReflectionKind.Class) {
        describeClass(project, reflection)
      }
    }
  })
}
