import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, loadFirstPage } from './app/app.tsx'
import { applyStoredTheme } from './app/theme-button.tsx'
import './style/palette.css'
import './style/page.css'

applyStoredTheme()
loadFirstPage()
const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no element with the id app')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
