import type { Category } from '../contract/enums.ts';
import { type Area, phrases } from './phrases.ts';

// Words of the fields of people at their desks: design, productivity.
// biome-ignore format: phrases read like a table
export const DESK_AREAS = {
  design: {
    features: phrases(`shared libraries | variable fonts | auto layout | component variants | vector brushes
      | colour profiles | version branches | prototype transitions | developer handoff | accessibility checks
      | offline files | boolean shapes | comment threads | icon exports | grid presets`),
    parts: phrases(`the canvas | the layer list | the colour picker | the export panel | the pen tool`),
    activities: phrases(`dragging nested groups | exporting at triple size | pasting from a browser
      | renaming many layers | zooming with a trackpad | undoing a boolean operation | opening very large files`),
    problems: phrases(`blurred strokes on fractional pixels | a crash when the clipboard held a broken image
      | lost kerning in exported text | shadows drawn outside their mask | comments that jumped to another page
      | wrong colours in wide-gamut exports | flicker while zooming | a cursor that stayed in the resize shape`),
    gains: phrases(`draws at 120 frames per second | opens files while they load | snaps to optical edges
      | keeps text sharp at any zoom | remembers export settings per layer | uses half the memory for images`),
    settings: phrases('snapDistance | exportScale | colorSpace | gridSize | autosaveMinutes | nudgeAmount'),
    commands: phrases('export | tokens build | library publish | fonts scan | file repair'),
    launches: [
      ['Accessibility checks while you draw', 'Contrast, target size and reading order are checked as you work.'],
      ['Libraries without surprises', 'An update of a shared library now shows what would change before it does.']] },
  productivity: {
    features: phrases(`recurring tasks | backlinks | quick capture | shared calendars | focus timers | board templates
      | offline mode | voice notes | table views | keyboard shortcuts | reading lists | task dependencies
      | guest access | natural-language dates | home screen widgets`),
    parts: phrases(`the editor | the sidebar | the calendar view | the search bar | the sync engine | the board`),
    activities: phrases(`pasting a long table | dragging an event across midnight | sharing a note with a guest
      | searching while offline | moving a card between boards | importing a notebook | editing on two devices`),
    problems: phrases(`reminders that fired in the wrong time zone | lost edits after airplane mode
      | a cursor that jumped to the end | checklists that lost their order | events doubled by shared calendars
      | a keyboard that covered the last line | search results for deleted notes | slow typing in long pages`),
    gains: phrases(`opens where you left off | syncs in the background | finds words inside images
      | keeps your place while others type | shows conflicts side by side | works fully offline`),
    settings: phrases('week_start | default_view | sync_interval | reminder_sound | time_format | archive_after'),
    commands: phrases('export | import | sync now | links check | backup create'),
    launches: [['Boards for more than one team', 'A card can now live on two boards at once and keep one history.'],
      ['Say it, and it is written down', 'Hold a key, speak, and the note is there when you let go.']] },
} satisfies Partial<Record<Category, Area>>;
