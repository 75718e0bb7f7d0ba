/**
 * The routes, each validated by Nest's pipe for standard schemas.
 */
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Put, Query, Res, UseGuards } from "@nestjs/common"
import type { Response } from "express"
import { v7 } from "uuid"
import type { z } from "zod"
import { etagOf, locationOf } from "../common/headers.ts"
import { CreateSite, changedMembers, IssueUploads, isUuid, ListSites, newMembers, UpdateSite } from "../common/input.ts"
import type { Caller } from "../common/keys.ts"
import { decodeCursor, pageOf } from "../common/pages.ts"
import { Problem } from "../common/problems.ts"
import { sign } from "../common/signing.ts"
import type { Store } from "../common/store.ts"
import { issueUploads } from "../common/uploads.ts"
import { ApiKeyGuard, CurrentCaller, STORE } from "./access.ts"

const siteIdOf = (id: string): string => {
  if (!isUuid(id)) throw new Problem("site_not_found")
  return id.toLowerCase()
}

@Controller("api/sites")
@UseGuards(ApiKeyGuard)
export class SitesController {
  private readonly store: Store

  constructor(@Inject(STORE) store: Store) {
    this.store = store
  }

  @Get()
  async list(@CurrentCaller() caller: Caller, @Query({ schema: ListSites }) query: z.output<typeof ListSites>) {
    const { cursor, ...asked } = query
    const found = await this.store.listSites(caller.organisationId, { ...asked, after: decodeCursor(cursor) })
    return pageOf(found, asked.limit)
  }

  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: CreateSite }) body: z.output<typeof CreateSite>,
    @Res({ passthrough: true }) response: Response
  ) {
    const site = await this.store.insertSite(caller.organisationId, { ...newMembers(body), id: v7(), at: new Date() })
    response.set({ etag: etagOf(site), location: locationOf(site) })
    return site
  }

  @Get(":id")
  async get(@CurrentCaller() caller: Caller, @Param("id") id: string, @Res({ passthrough: true }) response: Response) {
    const site = await this.store.findSite(caller.organisationId, siteIdOf(id))
    if (site === undefined) throw new Problem("site_not_found")
    response.set("etag", etagOf(site))
    return site
  }

  @Put(":id")
  async update(
    @CurrentCaller() caller: Caller,
    @Param("id") id: string,
    @Body({ schema: UpdateSite }) body: z.output<typeof UpdateSite>,
    @Res({ passthrough: true }) response: Response
  ) {
    const site = await this.store.updateSite(caller.organisationId, siteIdOf(id), changedMembers(body), new Date())
    response.set("etag", etagOf(site))
    return site
  }
}

@Controller("api")
@UseGuards(ApiKeyGuard)
export class AccountController {
  private readonly store: Store

  constructor(@Inject(STORE) store: Store) {
    this.store = store
  }

  @Get("me")
  me(@CurrentCaller() caller: Caller) {
    return this.store.me(caller)
  }

  @Get("portfolios/with-sites")
  async listWithSites(@CurrentCaller() caller: Caller) {
    return { data: await this.store.listWithSites(caller.organisationId), nextCursor: null }
  }

  @Post("docs/bulk-upload-url")
  @HttpCode(200)
  uploads(@CurrentCaller() caller: Caller, @Body({ schema: IssueUploads }) body: z.output<typeof IssueUploads>) {
    return issueUploads(this.store, sign, caller, body)
  }
}

@Controller("health")
export class HealthController {
  @Get("live")
  live() {
    return { status: "up", checks: {} }
  }
}
